// Rows that an index picks or names: the index, made or from a file, and the rows.
#pragma once

#include <filesystem>
#include <vector>

#include "tool/approximate.hpp"
#include "tool/kernel_list.hpp"
#include "tool/operand_data.hpp"
#include "tool/sizes.hpp"

namespace sectile::tool {

/// Makes the numbers of each index rows that there are, in no order and some of them again and again, or places for
/// rows, each once, and says so. Throws input_error if the rows of an output have not as many places each.
void make_indices(const kernel_facts& kernel, const named_sizes& sizes, std::vector<operand_data>& inputs);
/// Throws input_error unless each number is that of a row, or -1.
void require_indices(const kernel_facts& kernel, const std::vector<operand_data>& inputs,
                     const std::vector<std::filesystem::path>& files);
/// The inputs as the kernel has them: in place of a matrix the rows that are picked, zeros for -1.
std::vector<operand_data> with_rows_picked(const kernel_facts& kernel, std::vector<operand_data> inputs);

/// Whether the first output's rows are sums of those of `elements` that its index names.
bool scatters_rows(const kernel_facts& kernel);
/// Those sums, of rows that are rounded to the output's type, `cols` elements each, in the order of their places: with
/// `rows` rows.
std::vector<approximate> rows_added_up(const kernel_facts& kernel, const std::vector<operand_data>& inputs,
                                       const std::vector<approximate>& elements, std::int64_t rows, std::int64_t cols);

}  // namespace sectile::tool
