#include "tool/stored_elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tool/error_bar.hpp"
#include "tool/parallel.hpp"

namespace sectile::tool {
namespace {

constexpr std::size_t most_sums = 2;
using per_sum = std::array<double, most_sums>;

double root_mean_square(const std::vector<double>& x) {
  double squares = 0;
  for (const double v : x) squares += v * v;
  return std::sqrt(squares / static_cast<double>(x.size()));
}
per_sum root_mean_squares(const summed_products& p) {
  per_sum all{};
  for (std::size_t t = 0; t < p.sums.size(); ++t) all[t] = root_mean_square(p.sums[t]);
  return all;
}

/// One element as the formula sees it.
struct element_view {
  const summed_products& p;
  element_function after;
  per_sum sums{};
  std::vector<double> beside;

  element_view(const summed_products& products, element_function use)
      : p(products), after(use), beside(products.others.size()) {
    beside.insert(beside.end(), p.numbers.begin(), p.numbers.end());
  }
  void go_to(std::int64_t i, std::int64_t j) {
    const auto at = static_cast<std::size_t>(i * p.cols + j);
    for (std::size_t t = 0; t < p.sums.size(); ++t) sums[t] = p.sums[t][at];
    for (std::size_t o = 0; o < p.others.size(); ++o) beside[o] = p.others[o].at(i, j);
  }
  double value_of(const per_sum& x) const {
    if (after) return after(std::span(x).first(p.sums.size()), beside);
    return p.sums.empty() ? beside[0] : x[0];
  }
  double value() const { return value_of(sums); }
  std::size_t ways() const { return std::size_t{1} << p.sums.size(); }
  /// How the value moves where each sum is off by so much, this way or that.
  double moved(const per_sum& off, std::size_t way) const {
    per_sum there = sums;
    for (std::size_t t = 0; t < p.sums.size(); ++t) there[t] += way >> t & 1 ? off[t] : -off[t];
    return value_of(there) - value();
  }
};

/// Squares of results, and of how far they move.
struct movement {
  double result = 0;
  std::array<double, 1U << most_sums> moved{};

  void add(const movement& other) {
    result += other.result;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += other.moved[i];
  }
  double largest() const { return result > 0 ? std::sqrt(*std::max_element(moved.begin(), moved.end()) / result) : 0; }
};

/// Calls use(element, index, row) for every element, rows side by side.
template <class Use>
void for_elements(const summed_products& p, element_function after, Use use) {
  parallel_for(p.rows, [&](std::int64_t i) {
    element_view here(p, after);
    for (std::int64_t j = 0; j < p.cols; ++j) {
      here.go_to(i, j);
      use(here, static_cast<std::size_t>(i * p.cols + j), static_cast<std::size_t>(i));
    }
  });
}

}  // namespace

spread_input::spread_input(const operand_facts& facts, const operand_data& data, const operand_facts& out)
    : values(data.values.data()) {
  std::int64_t stride = 1;
  const int beyond = facts.tile.rank - static_cast<int>(data.shape.size());  // 1: no mode counts groups in memory
  for (int d = facts.tile.rank; d-- > beyond; stride *= data.shape[static_cast<std::size_t>(d - beyond)])
    (facts.mode_at(d) == out.row_mode() ? row : col) = stride;
}

answer stored_elements(const summed_products& p, element_function after) {
  per_sum off = root_mean_squares(p);
  for (double& x : off) x *= p.bar;
  answer result{std::vector<double>(p.elements())};
  std::vector<movement> of_row(static_cast<std::size_t>(p.rows));
  for_elements(p, after, [&](const element_view& here, std::size_t at, std::size_t row) {
    const double value = result.values[at] = here.value();
    of_row[row].result += value * value;
    for (std::size_t way = 0; way < here.ways(); ++way) {
      const double by = here.moved(off, way);
      of_row[row].moved[way] += by * by;
    }
  });
  movement all;
  for (const movement& row : of_row) all.add(row);
  result.bar = all.largest();
  return result;
}

std::vector<approximate> approximate_elements(const summed_products& p, element_function after) {
  const per_sum usual = root_mean_squares(p);
  std::vector<approximate> all(p.elements());
  for_elements(p, after, [&](const element_view& here, std::size_t at, std::size_t) {
    per_sum off{};
    for (std::size_t t = 0; t < p.sums.size(); ++t)
      off[t] = bad_luck * p.error * std::max(usual[t], std::fabs(here.sums[t]));
    approximate& x = all[at] = {here.value()};
    for (std::size_t way = 0; way < here.ways(); ++way) x.off = std::max(x.off, std::fabs(here.moved(off, way)));
    if (after) x.off += arithmetic_bar * std::fabs(x.value);
  });
  return all;
}

}  // namespace sectile::tool
