// What a kernel has to leave besides its matrix: numbers of groups of its elements.
#pragma once

#include <vector>

#include "tool/answer.hpp"
#include "tool/kernel_list.hpp"

namespace sectile::tool {

/// Of output number `output`, from all elements that its groups are made of, which lie as those of the first output do.
answer group_answer(const kernel_facts& kernel, int output, const group_formula& what,
                    const std::vector<approximate>& elements, std::int64_t rows, std::int64_t cols);

}  // namespace sectile::tool
