// What a kernel has to give that makes something of each row by itself.
#pragma once

#include <vector>

#include "tool/answer.hpp"
#include "tool/kernel_list.hpp"
#include "tool/operand_data.hpp"
#include "tool/progress.hpp"

namespace sectile::tool {

/// Of a row_formula, one for each output, each element judged by itself. `tick` counts the rows.
std::vector<answer> row_answers(const kernel_facts& kernel, const std::vector<operand_data>& in,
                                const std::vector<float>& numbers, progress* tick = nullptr);

}  // namespace sectile::tool
