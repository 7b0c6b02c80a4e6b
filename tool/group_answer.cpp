#include "tool/group_answer.hpp"

#include <map>
#include <sectile/dsl/plan/vector_outputs.hpp>

#include "tool/parallel.hpp"

namespace sectile::tool {
namespace {

using indices = std::vector<std::int64_t>;

/// Where elements go: rows and columns by what they add to the number of their group.
struct grouping {
  std::map<std::int64_t, indices> rows, cols;
  std::int64_t groups = 1;
};

/// An output's mode along `size` rows or columns of the matrix, or along tiles of so many of them.
struct group_mode {
  bool is_row = false;
  std::int64_t size = 0, step = 1;
};
group_mode mode_of(const operand_plan& out, int d, const operand_facts& matrix, std::int64_t rows, std::int64_t cols) {
  const int counted = counted_mode(out, d);
  const int at = counted >= 0 ? counted : mode_of_work(matrix, out.facts, d);
  return {at == 0, at == 0 ? rows : cols, counted >= 0 ? matrix.tile.extent[at] : 1};
}

std::map<std::int64_t, indices> sorted(const std::vector<std::int64_t>& places) {
  std::map<std::int64_t, indices> sets;
  for (std::size_t i = 0; i < places.size(); ++i) sets[places[i]].push_back(static_cast<std::int64_t>(i));
  return sets;
}

grouping group_elements(const operand_plan& out, const operand_facts& matrix, std::int64_t rows, std::int64_t cols) {
  indices of_row(static_cast<std::size_t>(rows)), of_col(static_cast<std::size_t>(cols));
  grouping g;
  for (int d = out.facts.tile.rank; d-- > 0;) {
    const group_mode mode = mode_of(out, d, matrix, rows, cols);
    std::int64_t at = 0;
    for (std::int64_t& place : mode.is_row ? of_row : of_col) place += at++ / mode.step * g.groups;
    g.groups *= (mode.size + mode.step - 1) / mode.step;
  }
  g.rows = sorted(of_row);
  g.cols = sorted(of_col);
  return g;
}

answer answer_of(const group_formula& what, const operand_plan& out, const grouping& g,
                 const std::vector<approximate>& elements, std::int64_t cols) {
  std::vector<approximate> all(static_cast<std::size_t>(g.groups));
  indices firsts;
  for (const auto& [first, rows] : g.rows) firsts.push_back(first);
  parallel_for(std::ssize(firsts), [&](std::int64_t r) {
    const std::int64_t first = firsts[static_cast<std::size_t>(r)];
    std::vector<approximate> group;
    for (const auto& [second, columns] : g.cols) {
      group.clear();
      for (const std::int64_t i : g.rows.at(first))
        for (const std::int64_t j : columns) group.push_back(elements[static_cast<std::size_t>(i * cols + j)]);
      all[static_cast<std::size_t>(first + second)] = what.of(group);
    }
  });
  return judged_when_rounded(all, out.facts.type);
}

}  // namespace

answer group_answer(const kernel_facts& kernel, int output, const group_formula& what,
                    const std::vector<approximate>& elements, std::int64_t rows, std::int64_t cols) {
  const operand_plan& out = kernel.output_plan(output);
  return answer_of(what, out, group_elements(out, kernel.output(), rows, cols), elements, cols);
}

}  // namespace sectile::tool
