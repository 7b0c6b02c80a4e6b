#include "tool/product_answer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sectile/dsl/plan/instruction_table.hpp>

#include "tool/parallel.hpp"

namespace sectile::tool {
namespace {

constexpr std::size_t most_sums = 2;

gemm_shape shape_of(const operand_data& left, const operand_data& right) {
  return {left.shape[0], right.shape[0], left.shape[1]};
}

std::vector<double> sum_products(const wgmma_instruction& w, const operand_data& left, const operand_data& right,
                                 progress* tick) {
  const gemm_shape s = shape_of(left, right);
  if (family_of(w).sum != summation::integer) return reference_gemm(left.values, right.values, s, tick);
  return reference_integer_gemm(left.values, right.values, s, w.saturate ? overflow::clamps : overflow::wraps, w.k,
                                tick);
}

/// An input that no product takes, at each element of the output: its modes are some of the output's.
struct spread_input {
  const float* values = nullptr;
  std::int64_t row = 0, col = 0;  // from one element to the next along the output's rows and columns

  spread_input(const operand_facts& facts, const operand_data& data, const operand_facts& out)
      : values(data.values.data()) {
    std::int64_t stride = 1;
    for (int d = facts.tile.rank; d-- > 0; stride *= data.shape[static_cast<std::size_t>(d)])
      (facts.mode_at(d) == out.row_mode() ? row : col) = stride;
  }
  double at(std::int64_t i, std::int64_t j) const { return static_cast<double>(values[i * row + j * col]); }
};

double root_mean_square(const std::vector<double>& x) {
  double squares = 0;
  for (const double v : x) squares += v * v;
  return std::sqrt(squares / static_cast<double>(x.size()));
}

/// Squares of results, and of how far they move when each sum is off by so much, this way or that.
struct movement {
  double result = 0;
  std::array<double, 1U << most_sums> moved{};

  void add(const movement& other) {
    result += other.result;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += other.moved[i];
  }
  double largest() const { return result > 0 ? std::sqrt(*std::max_element(moved.begin(), moved.end()) / result) : 0; }
};

/// What is stored of the sums; as its bar how far that moves where each sum is off by `off`.
answer stored(const product_formula& what, const std::vector<std::vector<double>>& sums, const std::vector<double>& off,
              const std::vector<spread_input>& others, gemm_shape s) {
  answer result{std::vector<double>(sums[0].size())};
  std::vector<movement> of_row(static_cast<std::size_t>(s.m));
  parallel_for(s.m, [&](std::int64_t i) {
    std::vector<double> here(sums.size()), moved(sums.size()), beside(others.size());
    movement& row = of_row[static_cast<std::size_t>(i)];
    for (std::int64_t j = 0; j < s.n; ++j) {
      const auto at = static_cast<std::size_t>(i * s.n + j);
      for (std::size_t o = 0; o < others.size(); ++o) beside[o] = others[o].at(i, j);
      for (std::size_t t = 0; t < sums.size(); ++t) here[t] = sums[t][at];
      const double value = result.values[at] = what.after(here, beside);
      row.result += value * value;
      for (std::size_t way = 0; way < std::size_t{1} << sums.size(); ++way) {
        for (std::size_t t = 0; t < sums.size(); ++t) moved[t] = here[t] + (way >> t & 1 ? off[t] : -off[t]);
        const double by = what.after(moved, beside) - value;
        row.moved[way] += by * by;
      }
    }
  });
  movement all;
  for (const movement& row : of_row) all.add(row);
  result.bar = all.largest();
  return result;
}

}  // namespace

std::int64_t product_steps(const product_formula& what, std::int64_t m) {
  return reference_steps(gemm_shape{.m = m}) * static_cast<std::int64_t>(what.right.size());
}

answer product_answer(const kernel_facts& kernel, reading how, signs of_products, const std::vector<operand_data>& in,
                      progress* tick) {
  const auto& what = std::get<product_formula>(kernel.computes);
  const wgmma_instruction& w = kernel.declared->products.at[0].instruction;
  const element& out = kernel.output().type;
  std::vector<std::vector<double>> sums;
  std::vector<bool> taken(in.size(), false);
  taken[0] = true;
  for (const int r : what.right) {
    const auto right = static_cast<std::size_t>(r);
    sums.push_back(sum_products(w, in[0], in[right], tick));
    taken[right] = true;
    if (r == 0) of_products = signs::any;  // squares have one sign
  }
  const gemm_shape s = shape_of(in[0], in[static_cast<std::size_t>(what.right[0])]);
  // Older tensor cores may add half as many products at once as wgmma.
  const std::int64_t rounded = how == reading::wmma ? 2 * s.k : s.k;
  if (!what.after) return {std::move(sums[0]), sum_error_bar(w, out, rounded, of_products)};

  std::vector<spread_input> others;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (!taken[i]) others.emplace_back(kernel.input(static_cast<int>(i)), in[i], kernel.output());
  const double sum_bar = sum_error_bar(w, element_of<f32>(), rounded, of_products);
  std::vector<double> off;
  for (const std::vector<double>& sum : sums) off.push_back(sum_bar * root_mean_square(sum));

  answer result = stored(what, sums, off, others, s);
  result.bar += arithmetic_bar + rounding_bar(out);
  return result;
}

}  // namespace sectile::tool
