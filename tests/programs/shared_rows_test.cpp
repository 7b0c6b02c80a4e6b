// Rows that the CTAs of a cluster share: each has a part, and what they reduce is of all parts. On the model, against
// float64.
#include <sectile/dsl/launch/portable_model.hpp>
#include <sectile/kernels/long_rows.hpp>

#include "tests/programs/row_kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::kernels;
using namespace sectile::test;

constexpr double epsilon = 0x1p-10;

constexpr configuration in_a_row(configuration c, int ctas) {
  c.cluster.cols = ctas;
  return c;
}
/// The largest number of each row goes, and what is left is divided by the row's sum: two exchanges, one behind the
/// other, of tiles that cover `Rows` rows.
template <configuration How>
struct divided_rows {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.wide_tile_of(Y);
    auto x = in_registers(sm.load(X, {m, n}));
    x = x - row_max(x);
    mask(
        x, {m, n}, true, [=](int, int col) { return col < size<"N">(X); }, 0.0f);
    sm.store(Y, {m, n}, x / row_sum(x).total());
  }
};
template <configuration How>
void check_divided_rows(int m, int n) {
  CAPTURE(m);
  CAPTURE(n);
  host_tensor<float> X({m, n}), Y({m, n});
  X.fill(1);
  run_on_schedules<divided_rows<How>>(1, Y, X.in(), Y.view());
  check_close(Y, f32_close, [&](int i, int j) {
    const std::vector<double> row = X.row(i, n);
    const double most = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (const double x : row) sum += x - most;
    return (row[static_cast<std::size_t>(j)] - most) / sum;
  });
}

/// What is written of rows besides: a number of each, stored by one CTA; sums of their elements, to which each CTA adds
/// its part; the largest of all; and sums of columns, of which each CTA has its own, in one order and in any.
template <configuration How>
struct told_rows {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>(), output<"sums(M)", float>(),
                        output<"again(M)", float>(), output<"ordered(N)", float>(), output<"most", float>(),
                        output<"below(N)", float>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto X, auto Y, auto sums, auto again, auto ordered, auto most, auto below) {
    auto [m, n] = sm.wide_tile_of(Y);
    const auto x = in_registers(sm.load(X, {m, n}));
    sm.store(sums, {m}, row_sum(x));
    sm.combine(again, {m}, x, reduction::add_in_any_order);
    sm.combine(ordered, {n}, x, reduction::add);
    sm.combine(most, {}, row_max(x), reduction::max);
    sm.combine(below, {n}, x, reduction::add_in_any_order);
    sm.store(Y, {m, n}, x);
  }
};
template <configuration How>
void check_told_rows(int m, int n) {
  CAPTURE(m);
  CAPTURE(n);
  host_tensor<float> X({m, n}), Y({m, n}), sums({m}), again({m}), ordered({n}), below({n});
  float most = 0;
  X.fill(1);
  run_on_model_by_itself<told_rows<How>>({}, X.in(), Y.view(), sums.view(), again.view(), ordered.view(), tensor(&most),
                                         below.view());
  double largest = -1e30;
  std::vector<double> of_rows, of_columns(static_cast<std::size_t>(n));
  for (int i = 0; i < m; ++i) {
    of_rows.push_back(0);
    for (int j = 0; j < n; ++j) {
      of_rows.back() += X.number(i, j), of_columns[static_cast<std::size_t>(j)] += X.number(i, j);
      largest = std::max(largest, X.number(i, j));
    }
  }
  for (const host_tensor<float>* found : {&sums, &again})
    for (int i = 0; i < m; ++i) CHECK(std::abs(found->number(i) - of_rows[static_cast<std::size_t>(i)]) < 1e-3);
  for (const host_tensor<float>* found : {&below, &ordered})
    for (int j = 0; j < n; ++j) CHECK(std::abs(found->number(j) - of_columns[static_cast<std::size_t>(j)]) < 1e-3);
  CHECK(static_cast<double>(most) == largest);
}

/// A norm, of which each CTA of a cluster has a part, as wide as `width` bytes in eight.
template <template <class> class Norm, class T, int Ctas>
struct shared_norm : Norm<T> {
  static constexpr configuration how = in_a_row(tile_of_row<T>(by_wide_tiles, 1024, 3, 2).with_own_tiles(), Ctas);
};

}  // namespace

TEST_CASE("rows of a cluster's tiles, on every configuration") {
  constexpr configuration one{.tile = {{"M", 8}, {"N", 64}}, .stages = 2, .consumers = 1, .swap = true};
  constexpr configuration two{
      .tile = {{"M", 16}, {"N", 128}}, .stages = 3, .consumers = 2, .persistent = true, .swap = true};
  constexpr configuration own{
      .tile = {{"M", 8}, {"N", 64}}, .stages = 3, .consumers = 3, .own_tiles = true, .persistent = true, .swap = true};
  constexpr configuration square{
      .tile = {{"M", 8}, {"N", 64}}, .stages = 2, .cluster = {2, 2}, .consumers = 1, .persistent = true, .swap = true};
  for (const int m : {1, 37}) {
    if constexpr (exhaustively) {
      check_divided_rows<in_a_row(one, 4)>(m, 100);  // two of the four CTAs have nothing but what lies beyond the end
      check_divided_rows<in_a_row(own, 3)>(m, 180);
      check_divided_rows<in_a_row(one, 2)>(m, 128);
      check_divided_rows<in_a_row(two, 2)>(m, 256);
    }
    check_divided_rows<square>(m, 128);
    check_divided_rows<square>(m, 40);  // one of two CTAs has nothing
  }
}

TEST_CASE("what is written of shared rows besides") {
  constexpr configuration one{.tile = {{"M", 8}, {"N", 64}}, .stages = 2, .consumers = 1, .swap = true};
  constexpr configuration two{
      .tile = {{"M", 16}, {"N", 128}}, .stages = 3, .consumers = 2, .persistent = true, .swap = true};
  for (const int m : {1, 37}) {
    if constexpr (exhaustively) check_told_rows<in_a_row(one, 2)>(m, 128);
    if constexpr (exhaustively) check_told_rows<in_a_row(one, 4)>(m, 100);
    check_told_rows<in_a_row(two, 2)>(m, 250);
  }
}

TEST_CASE_TEMPLATE("norms of shared rows", T, bf16, float) {
  const int m = 9, n = 8 * 2048 / static_cast<int>(sizeof(T)), parts = 8;
  host_tensor<T> X({m, n}), gamma({1, n}), beta({1, n}), Y({m, n});
  X.fill(1), gamma.fill(2), beta.fill(3);
  const auto folded_row = [&](const host_tensor<T>& x) { return folded(tensor(x.in().data, n), parts); };
  if constexpr (exhaustively || std::is_same_v<T, bf16>) {
    run_on_schedules<shared_norm<long_softmax, T, 4>>(1, Y, folded(X.in(), parts), folded(Y.view(), parts));
    check_close(Y, near_enough<T>, softmax_of(X));
  }
  if constexpr (exhaustively) {
    const std::vector<moments> of = moments_of_rows(X);
    run_on_schedules<shared_norm<long_layer_norm, T, 2>>(1, Y, folded(X.in(), parts), folded_row(gamma),
                                                         folded_row(beta), folded(Y.view(), parts),
                                                         static_cast<float>(epsilon));
    check_close(Y, near_enough<T>, [&](int i, int j) {
      const moments& s = of[static_cast<std::size_t>(i)];
      return (X.number(i, j) - s.mean) / std::sqrt(s.variance() + epsilon) * gamma.number(0, j) + beta.number(0, j);
    });
  }
}

TEST_CASE("what CTAs share of a row") {
  using norm = shared_norm<long_rms_norm, bf16, 4>;
  constexpr plan p = plan_of<norm>;
  static_assert(p.exchange.ctas == 4 && p.exchange.buffers == 2 && p.exchange.columns == 8);
  static_assert(count_exchange_barriers(p) == 4);     // of two consumers, two buffers each
  static_assert(p.ring[p.operand[1].ring].resident);  // a CTA has the same part of gamma all the time
  static_assert(plan_of<member<long_rms_norm<bf16>, 1>>.exchange.buffers == 1);
  static_assert(!same_sums<norm, shared_norm<long_rms_norm, bf16, 2>>);  // parts are other elements
  static_assert(!portable::can_read<norm, portable::simt>);
  using softmax = shared_norm<long_softmax, bf16, 4>;
  host_tensor<bf16> X({2, 16896}), Y({2, 16896});
  X.fill(1);
  CHECK_THROWS_WITH_AS(run_on_model<softmax>(folded(X.in(), 8), folded(Y.view(), 8)),
                       "operand Y: N = 2112 is more than the 2048 of the cluster's tiles, which this kernel takes for "
                       "whole rows; use a wider tile",
                       launch_error);
}
