// Rows that an index picks: the index, made or from a file, and the rows.
#pragma once

#include <filesystem>
#include <vector>

#include "tool/kernel_list.hpp"
#include "tool/operand_data.hpp"

namespace sectile::tool {

/// Makes the numbers of each index rows that there are, in no order and some of them again and again, and says so.
void make_indices(const kernel_facts& kernel, std::vector<operand_data>& inputs);
/// Throws input_error unless each number is that of a row, or -1.
void require_indices(const kernel_facts& kernel, const std::vector<operand_data>& inputs,
                     const std::vector<std::filesystem::path>& files);
/// The inputs as the kernel has them: in place of a matrix the rows that are picked, zeros for -1.
std::vector<operand_data> with_rows_picked(const kernel_facts& kernel, std::vector<operand_data> inputs);

}  // namespace sectile::tool
