// What a kernel that sums products, or goes through elements, has to give, and how far from it rounding explains.
#pragma once

#include <vector>

#include "tool/answer.hpp"
#include "tool/error_bar.hpp"
#include "tool/kernel_list.hpp"
#include "tool/operand_data.hpp"
#include "tool/progress.hpp"

namespace sectile::tool {

/// Of a product_formula: one answer for each output. Where something is done to the sums, the bar is found by doing it
/// to sums that are off by theirs as well. `numbers` has one for each that the formula takes; `rows`: of the output,
/// where what is stored is added up to them.
std::vector<answer> product_answers(const kernel_facts& kernel, reading how, signs of_products,
                                    const std::vector<operand_data>& in, const std::vector<float>& numbers = {},
                                    progress* tick = nullptr, std::int64_t rows = 0);
/// What `tick` counts for M rows of the output.
std::int64_t product_steps(const product_formula& what, std::int64_t m);

}  // namespace sectile::tool
