// What a kernel that sums products has to give, and how far from it rounding explains.
#pragma once

#include <vector>

#include "tool/error_bar.hpp"
#include "tool/kernel_list.hpp"
#include "tool/operand_data.hpp"
#include "tool/progress.hpp"

namespace sectile::tool {

/// A result in float64.
struct answer {
  std::vector<double> values;
  double bar = 0;  // the largest relative L2 error that rounding explains; 0: every element is exact
};

/// Of a product_formula. Where something is done to the sums, the bar is found by doing it to sums that are off by
/// theirs as well.
answer product_answer(const kernel_facts& kernel, reading how, signs of_products, const std::vector<operand_data>& in,
                      progress* tick = nullptr);
/// What `tick` counts for M rows of the output.
std::int64_t product_steps(const product_formula& what, std::int64_t m);

}  // namespace sectile::tool
