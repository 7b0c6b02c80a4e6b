// The files that take the outputs of a run.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tool/files.hpp"
#include "tool/kernel_list.hpp"
#include "tool/operand_buffers.hpp"

namespace sectile::tool {

/// Files by the options that name them, see operand_options.hpp.
using files_by_option = std::map<std::string, std::optional<std::filesystem::path>>;

struct output_files {
  /// Throws input_error where the kernel has no such output, and where a file would be lost or cannot be written.
  output_files(const kernel_facts& kernel, const files_by_option& outputs, const files_by_option& inputs);

  /// Throws input_error where one does not fit.
  void require_room_for(const operand_buffers& operands) const;
  /// Writes those that were asked for, and says so. Throws input_error.
  void write(const operand_buffers& operands) const;

 private:
  std::vector<named_file> of_outputs_;
};

}  // namespace sectile::tool
