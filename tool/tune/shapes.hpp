// The problems that are measured: lists of sizes, as they are written and as they come by default.
#pragma once
#include <optional>
#include <sectile/dsl/launch/cost_model.hpp>
#include <span>
#include <string>
#include <vector>

namespace sectile::tool {

/// The sizes of "4096x4096x512" along the modes. Throws input_error.
problem_size parse_sizes(const std::string& text, std::span<const mode_id> modes);
/// What parse_sizes reads back.
std::string sizes_text(const problem_size& sizes, std::span<const mode_id> modes, const char* times = "x");

/// The problems of "4096x4096x512,1x8192x8192", or of the file of that name: one in a line, and '#' before what is no
/// problem. Each once. Throws input_error.
std::vector<problem_size> read_problems(const std::string& list_or_file, std::span<const mode_id> modes);

/// What was asked for, or `usual`, which are problems of a GEMM. Throws input_error, also where a family is none.
std::vector<problem_size> problems_asked(const std::optional<std::string>& list_or_file, std::span<const mode_id> modes,
                                         std::vector<problem_size> (*usual)());
/// For a GEMM: about 200 problems, those that people have and others spread evenly, to measure a table for.
std::vector<problem_size> problems_to_tune();
/// And 60 others to judge picks by: 20 that people have and 40 at random, with a seed that is fixed.
std::vector<problem_size> problems_to_race();

/// Throws input_error where no member of the family takes these sizes with packed operands: TMA wants rows of a
/// multiple of 16 bytes.
void require_taken(const operand_table& operands, const problem_size& sizes);

}  // namespace sectile::tool
