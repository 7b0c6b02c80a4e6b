// The families of kernels that this build has. Each is compiled in a file of its own, NAME.cu, so that they compile in
// parallel and a build may do with some; families.cmake makes the file that lists them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tool/kernel_list.hpp"

namespace sectile::tell {
struct kernel_record;
struct protocol_walk;
}

namespace sectile::tool {

/// A reading of some kernel for GPUs before Hopper.
struct portable_reading {
  std::string_view kernel;
  reading how;
  reading_functions run;
};

/// tell::walk_protocol of a kernel.
using protocol_walker = tell::protocol_walk (*)(const std::int64_t (&extents)[max_operands][max_rank], bool last);

/// A kernel as the record that facts are made of, and as what its roles do.
struct recorded_kernel {
  std::string_view kernel;
  tell::kernel_record (*record)() = nullptr;
  protocol_walker walk = nullptr;  // of the families in SECTILE_TOOL_PROTOCOLS
};

struct families {
  std::vector<std::span<const kernel_facts> (*)()> kernels;      // in the order of `sectile list`
  std::vector<std::span<const portable_reading> (*)()> readings;
  std::vector<std::vector<recorded_kernel> (*)()> records;
  std::string_view left_out{};  // families of the sources that this build was told to do without: "attention, ladder"
};
const families& built_families();

}  // namespace sectile::tool
