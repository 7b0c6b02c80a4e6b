// What a kernel has to give that makes something of each row by itself.
#pragma once

#include <vector>

#include "tool/answer.hpp"
#include "tool/kernel_list.hpp"
#include "tool/operand_data.hpp"
#include "tool/progress.hpp"

namespace sectile::tool {

/// Of a row_formula, each element judged by itself. `tick` counts the rows.
answer row_answer(const kernel_facts& kernel, const std::vector<operand_data>& in, const std::vector<float>& numbers,
                  progress* tick = nullptr);

}  // namespace sectile::tool
