// What attention has to give.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tool/answer.hpp"
#include "tool/kernel_list.hpp"
#include "tool/operand_data.hpp"
#include "tool/progress.hpp"
#include "tool/sizes.hpp"

namespace sectile::tool {

/// Of keys as many as queries. Sequences that are packed are as long as each other there. Throws input_error where
/// their heads of keys have not as many of queries each.
attention_shape attention_shape_of(const attention_formula& what, const named_sizes& sizes);
/// log2(e) / sqrt(D): scores are multiplied by it, unless they have scales.
double usual_scale(std::int64_t dimension);
/// What the reference counts.
std::int64_t attention_steps(const kernel_facts& kernel, const attention_shape& shape,
                             const std::vector<operand_data>& in);

/// Which keys a row sees and what becomes of scores; `numbers` are those behind the scale.
attention_rules rules_of(const attention_formula& what, std::span<const float> numbers);

/// "O = softmax(Q K^T / sqrt(D)) V, causal, windowed,": what is computed.
std::string said_of(const attention_formula& what);

/// Of each output, from its inputs.
std::vector<answer> attention_answers(const kernel_facts& kernel, const attention_shape& shape,
                                      const std::vector<operand_data>& in, std::span<const float> numbers,
                                      progress* tick = nullptr);

}  // namespace sectile::tool
