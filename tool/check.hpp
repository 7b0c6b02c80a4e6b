// `sectile check`: the host compiler's verdict on a file with kernels, in one sentence.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tool/commands/commands.hpp"

namespace sectile::tool {

struct check_options {
  std::filesystem::path file;
  std::vector<std::string> flags;  // for the compiler, behind its own
};

/// Compiles the file without keeping anything, and prints what holds or the refusal. Throws input_error where there is
/// no file, or no compiler of C++20.
exit_status check_file(const check_options& options);

// ---- what a compiler said

/// A line of a file.
struct source_line {
  std::string file;
  int number = 0;
};

/// The first error of a compiler's output.
struct complaint {
  bool refusal = false;              // by one of this project's rules, not the language's
  std::string why;                   // one sentence: of g++ the rule's own, of others the rule's name and its numbers
  std::optional<source_line> where;  // the first line that lies in none of the folders `foreign`
};

/// Precondition: the output contains an error.
complaint read_complaint(const std::string& output, const std::vector<std::string>& foreign);

/// The kernels that a file asserts, as it names them: "kernel" of `static_assert(sectile::verified<kernel>)`.
std::vector<std::string> asserted_kernels(const std::string& source);

}  // namespace sectile::tool
