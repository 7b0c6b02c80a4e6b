#include "tool/row_answer.hpp"

#include "tool/group_answer.hpp"
#include "tool/parallel.hpp"

namespace sectile::tool {

std::vector<answer> row_answers(const kernel_facts& kernel, const std::vector<operand_data>& in,
                                const std::vector<float>& numbers, progress* tick) {
  const auto& what = std::get<row_formula>(kernel.computes);
  // A row that comes in parts has all modes but the first, and so has a tile of it.
  const std::int64_t rows = in[0].shape[0], cols = std::ssize(in[0].values) / rows;
  const operand_facts& x = kernel.input(0);
  row_view all{.x = in[0].values, .beside = {}, .numbers = numbers, .tile = x.cols()};
  if (x.tile.rank > 2) all.tile *= x.rows();
  for (std::size_t i = 1; i < in.size(); ++i) all.beside.emplace_back(in[i].values);
  std::vector<approximate> y(in[0].values.size());
  parallel_for(rows, [&](std::int64_t i) {
    const auto first = static_cast<std::size_t>(i * cols), count = static_cast<std::size_t>(cols);
    row_view row = all;
    row.x = all.x.subspan(first, count);
    what.of(row, std::span(y).subspan(first, count));
    if (tick != nullptr) tick->add();
  });
  std::vector<answer> answers{judged_when_rounded(y, kernel.output().type)};
  if (what.groups.empty()) return answers;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = {in[0].values[i]};
  for (const group_formula& group : what.groups)
    answers.push_back(group_answer(kernel, static_cast<int>(answers.size()), group, y, rows, cols));
  return answers;
}

}  // namespace sectile::tool
