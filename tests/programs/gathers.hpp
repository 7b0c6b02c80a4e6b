// Kernels that gather rows.
#pragma once
#include <sectile/dsl.hpp>
#include <sectile/kernels/experts.hpp>

namespace sectile::test::gathers {

constexpr configuration plain{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 1};
constexpr configuration walking{
    .tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 4, .consumers = 2, .persistent = true};
constexpr configuration sharing{
    .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .cluster = {2, 2}, .consumers = 1, .persistent = true};
constexpr configuration swapped{.tile = {{"M", 16}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 1, .swap = true};
constexpr configuration thin{.tile = {{"M", 16}, {"N", 64}, {"K", 32}}, .stages = 3, .consumers = 1, .swap = true};
constexpr configuration two_panels{.tile = {{"M", 64}, {"N", 32}, {"K", 128}}, .stages = 2, .consumers = 1};
constexpr configuration half_spans{.tile = {{"M", 64}, {"N", 32}, {"K", 32}}, .stages = 3, .consumers = 1};
constexpr configuration split{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1, .split = 2};
constexpr configuration streamed{
    .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 1, .persistent = true, .streamed = true};
constexpr configuration own{
    .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 2, .own_tiles = true, .persistent = true};
constexpr configuration drawn = walking.with_drawn_tiles();
constexpr configuration drawn_in_clusters = sharing.with_drawn_tiles();
constexpr configuration drawn_by_turns = own.with_drawn_tiles();
constexpr configuration drawn_by_one_warp{.tile = {{"M", 8}, {"N", 64}, {"K", 32}},
                                          .stages = 3,
                                          .consumers = 1,
                                          .persistent = true,
                                          .dynamic = true,
                                          .swap = true};
/// C = A[row] B^T.
template <configuration How, class In = bf16>
struct product {
  static constexpr auto operands = sectile::operands(gathered_input<"A(M,K)", In, "row">(), input<"row(M)", s32>(),
                                                     input<"B(N,K)", In>(), output<"C(M,N)", float>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto A, auto, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

/// C = A[row] B^T + R: R comes through a ring of its own, in which only one thread of the producer has a part.
template <configuration How>
struct added {
  static constexpr auto operands =
      sectile::operands(gathered_input<"A(M,K)", bf16, "row">(), input<"row(M)", s32>(), input<"B(N,K)", bf16>(),
                        input<"R(M,N)", float>(), output<"C(M,N)", float>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto A, auto, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(R, {m, n}));
  }
};

/// C = A[row] B[col]^T: both are gathered, and nothing of a stage comes by TMA.
template <configuration How>
struct both {
  static constexpr auto operands =
      sectile::operands(gathered_input<"A(M,K)", bf16, "row">(), gathered_input<"B(N,K)", bf16, "col">(),
                        input<"row(M)", s32>(), input<"col(N)", s32>(), output<"C(M,N)", float>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto A, auto B, auto, auto, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

}  // namespace sectile::test::gathers
