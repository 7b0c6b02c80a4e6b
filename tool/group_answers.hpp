// What a kernel has to leave besides its matrix: numbers of groups of its elements.
#pragma once

#include <vector>

#include "tool/answer.hpp"
#include "tool/kernel_list.hpp"

namespace sectile::tool {

/// One answer for each of the formula's groups, from all elements of the kernel's first output, which is a matrix.
std::vector<answer> group_answers(const kernel_facts& kernel, const product_formula& what,
                                  const std::vector<approximate>& elements, std::int64_t rows, std::int64_t cols);

}  // namespace sectile::tool
