#include "tool/attention_answer.hpp"

#include "tool/error_bar.hpp"

namespace sectile::tool {

attention_shape attention_shape_of(const named_sizes& sizes) {
  const auto of = [&](char letter, std::int64_t otherwise) {
    return sizes.letters.find(letter) == std::string::npos ? otherwise : sizes.of(letter);
  };
  const std::int64_t groups = of('G', 1), heads = groups * sizes.of('H'), dimension = sizes.of('D');
  return {.batch = sizes.of('B'),
          .heads = heads,
          .queries = sizes.of('S'),
          .dimension = dimension,
          .values = of('E', dimension),
          .key_heads = of('G', heads)};
}

attention_rules rules_of(const attention_formula& what, std::span<const float> numbers) {
  attention_rules rules{.from_end = what.from_end};
  std::size_t next = 0;
  if (what.windowed) rules.left = static_cast<std::int64_t>(numbers[next++]);
  if (what.windowed && !what.causal) rules.right = static_cast<std::int64_t>(numbers[next++]);
  if (what.causal) rules.right = 0;
  if (what.capped) rules.cap = static_cast<double>(numbers[next++]);
  return rules;
}

std::string said_of(const attention_formula& what) {
  std::string all;
  if (what.causal) all += ", causal";
  if (what.windowed) all += ", windowed";
  if (what.capped) all += ", scores capped";
  if (what.slopes) all += ", sloped";
  if (what.sinks) all += ", beside sinks";
  return all.empty() ? all : all + ",";
}

std::vector<answer> attention_answers(const kernel_facts& kernel, const attention_shape& shape,
                                      const std::vector<operand_data>& in, std::span<const float> numbers,
                                      progress* tick) {
  const attention_formula& what = *kernel.attention();
  attention_rules rules = rules_of(what, numbers);
  std::size_t next = 3;
  if (what.sinks) rules.sinks = in[next++].values;
  if (what.slopes) rules.slopes = in[next++].values;
  attention_result right = reference_attention(in[0].values, in[1].values, in[2].values, shape, rules, tick);
  std::vector<answer> all{{std::move(right.rows), attention_error_bar}};
  if (kernel.outputs() > 1) all.push_back({std::move(right.log_sums), arithmetic_bar});
  return all;
}

}  // namespace sectile::tool
