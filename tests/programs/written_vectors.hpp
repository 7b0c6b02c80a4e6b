// Programs that write vectors beside their output, for the tests on the model and on a GPU.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::test {

inline constexpr configuration upright{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3};
inline constexpr configuration narrow{.tile = {{"M", 128}, {"N", 24}, {"K", 64}}, .stages = 3};
inline constexpr configuration tall{.tile = {{"M", 128}, {"N", 80}, {"K", 64}}, .stages = 3, .consumers = 1};
inline constexpr configuration of_clusters{
    .tile = {{"M", 128}, {"N", 96}, {"K", 64}}, .stages = 3, .cluster = {2, 1}, .persistent = true};
inline constexpr configuration of_wide_clusters{
    .tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3, .cluster = {1, 2}};
inline constexpr configuration swapped{
    .tile = {{"M", 48}, {"N", 128}, {"K", 64}}, .stages = 3, .persistent = true, .swap = true};

/// C = A B^T + 1, so that nothing is zero beyond the edges; with all that can be combined.
template <configuration How>
struct combined {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"of_col(N)", float>(), output<"of_row(M)", float>(),
      output<"C(M,N)", float>(), output<"most", float>(), output<"sum", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto of_col, auto of_row, auto C, auto most, auto sum) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto x = acc + 1.0f;
    sm.combine(of_col, {n}, x, reduction::add_in_any_order);
    sm.combine(of_row, {m}, x, reduction::min);
    sm.combine(most, {}, abs(x), reduction::max);
    sm.combine(sum, {}, x, reduction::add_in_any_order);
    sm.store(C, {m, n}, x);
  }
};

/// The rows of logits A B^T for each tile of columns: their maximum, and the sum of exponentials behind it.
template <class Stored, configuration How>
struct partial_softmax {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(),
                        vector_output<"most(T,M)", float>(), vector_output<"sums(T,M)", Stored>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto most, auto sums) {
    auto [m, n] = sm.tile_of(C);
    const auto columns = size<"N">(C);
    const auto tile = as<"T">(n);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    mask(
        acc, {m, n}, [=](int, int col) { return col < columns; }, -infinity);
    const auto top = row_max(acc);
    sm.store(most, {tile, m}, top);
    sm.store(sums, {tile, m}, row_sum(exp(acc - top)));
    sm.store(C, {m, n}, acc);
  }
};
/// Rows' numbers: stored, and combined over tiles of columns, into a vector and into a number.
template <class Stored, configuration How>
struct rows_out {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(), output<"sums(M)", Stored>(),
      output<"most(M)", float>(), output<"largest", float>(), output<"total", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto sums, auto most, auto largest, auto total) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto of_row = row_sum(acc);
    const auto top = row_max(abs(acc)) + 1.0f;
    sm.store(sums, {m}, of_row);
    sm.combine(most, {m}, top, reduction::max);
    sm.combine(largest, {}, top, reduction::max);
    sm.combine(total, {}, of_row, reduction::add_in_any_order);
    sm.store(C, {m, n}, acc);
  }
};
/// Sums of columns and the largest number for each matrix of a batch; and the same rows a second time.
struct batched {
  static constexpr auto operands =
      sectile::operands(input<"A(G,M,K)", bf16>(), output<"C(G,M,M')", float>(), vector_output<"sums(G,M')", float>(),
                        output<"most(G)", float>(), vector_output<"tops(T,U,G)", float>());
  static constexpr configuration how{
      .tile = {{"G", 1}, {"M", 64}, {"K", 64}}, .stages = 6, .consumers = 1, .persistent = true};
  static constexpr void body(auto& sm, auto A, auto C, auto sums, auto most, auto tops) {
    auto [g, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, m, k}) * transpose(sm.load(A, {g, n, k}));
    sm.combine(sums, {g, n}, acc, reduction::add_in_any_order);
    sm.combine(most, {g}, acc, reduction::max);
    sm.combine(tops, {as<"T">(n), as<"U">(m), g}, acc, reduction::min);
    sm.store(C, {g, m, n}, acc);
  }
};

/// Attention that keeps the logarithm (to base 2) of what each row of scores was divided by, for its way back.
struct attention_with_normaliser {
  static constexpr auto operands =
      sectile::operands(input<"Q(B,H,S,D)", bf16>(), input<"K(B,H,T,D)", bf16>(), input<"V(B,H,T,D)", bf16>(),
                        output<"O(B,H,S,D)", bf16>(), vector_output<"kept(B,H,S)", float>(), scalar<"scale", float>());
  static constexpr configuration how{
      .tile = {{"S", 128}, {"T", 64}, {"D", 64}}, .stages = 2, .consumers = 2, .persistent = true};
  static constexpr void body(auto& sm, auto Q, auto K, auto V, auto O, auto kept, auto scale) {
    auto [b, h, i, zero] = sm.tile_of(O);
    const auto length = size<"T">(K);
    const auto visible = [=](int, int c) { return c < length; };
    auto q = sm.load(Q, {b, h, i, zero});
    auto s = sm.accumulator(q * transpose(sm.load(K, {b, h, 0, 0})));
    auto o = sm.accumulator(O);
    mask(s, {i, 0}, visible, -infinity);
    auto m = row_max(s) * scale;
    s = exp2(fma(s, scale, -m));
    auto l = row_sum(s);
    auto p = cast<bf16>(s);
    o += p * sm.load(V, {b, h, 0, 0});
    for (auto j : sm.pipelined(tiles<"T">(K) - 1)) {
      s = q * transpose(sm.load(K, {b, h, j + 1, 0}));
      mask(s, {i, j + 1}, visible, -infinity);
      auto grown = max(m, row_max(s) * scale);
      auto shrink = exp2(m - grown);
      m = grown;
      s = exp2(fma(s, scale, -m));
      l = l * shrink + row_sum(s);
      o *= shrink;
      p = cast<bf16>(s);
      o += p * sm.load(V, {b, h, j + 1, 0});
    }
    o *= reciprocal(l);
    sm.store(kept, {b, h, i}, m + log2(l.total()));
    sm.store(O, {b, h, i, zero}, o);
  }
};

}  // namespace sectile::test
