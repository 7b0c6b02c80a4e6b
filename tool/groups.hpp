// Groups of rows: the numbers that say where they are, made or from a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <sectile/dsl/plan/groups.hpp>
#include <vector>

#include "tool/kernel_list.hpp"
#include "tool/operand_data.hpp"

namespace sectile::tool {

/// The inputs that cut rows of others into groups.
std::vector<int> vectors_of_groups(const kernel_facts& kernel);
/// The rows of all groups together that one of them cuts.
std::int64_t rows_of_groups(const kernel_facts& kernel, const std::vector<operand_data>& inputs, int vector);

/// Makes their numbers groups that are unlike each other, every fourth of them empty, and says so: of all rows
/// together, or of rooms that are filled in part. Of several vectors each has other empty ones. Throws input_error for
/// rows that a float does not count, or that are no rooms.
void make_groups(const kernel_facts& kernel, std::vector<operand_data>& inputs);
/// Throws input_error unless they say that all rows are in groups, or that rooms have some of theirs.
void require_groups(const kernel_facts& kernel, const std::vector<operand_data>& inputs,
                    const std::vector<std::filesystem::path>& files);

/// Where the groups of such a vector are in the matrix of all rows.
std::vector<group_bounds> groups_of(const kernel_facts& kernel, const std::vector<operand_data>& inputs, int vector);

}  // namespace sectile::tool
