// Kernels that add rows to those of an output, by an index.
#pragma once
#include <sectile/dsl.hpp>
#include <sectile/kernels/experts.hpp>

namespace sectile::test::scatters {

constexpr configuration plain{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 1};
constexpr configuration walking{
    .tile = {{"M", 128}, {"N", 192}, {"K", 64}}, .stages = 3, .consumers = 2, .persistent = true};
constexpr configuration sharing{
    .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .cluster = {2, 2}, .consumers = 1, .persistent = true};
constexpr configuration own{
    .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 2, .own_tiles = true, .persistent = true};
constexpr configuration behind{
    .tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 4, .consumers = 2, .persistent = true, .stagger = 2};
constexpr configuration drawn{
    .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 1, .persistent = true, .dynamic = true};
constexpr configuration split{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1, .split = 2};
constexpr configuration apart{
    .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1, .split = 2, .apart = true};
constexpr configuration one_buffer{
    .tile = {{"M", 64}, {"N", 192}, {"K", 64}}, .stages = 3, .consumers = 1, .output_buffers = 1};
constexpr configuration two_blocks{.tile = {{"M", 128}, {"N", 40}, {"K", 64}}, .stages = 2, .consumers = 1};

/// Row place[m] / J of C is the sum of rows m of A B^T, in the order of place[m] % J.
template <configuration How, class Out = bf16>
struct product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), vector_input<"place(M)", s32>(),
                        scattered_output<"C(M,N)", Out, "place">());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto A, auto B, auto, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

/// The rows themselves.
template <configuration How, class Out = bf16>
struct summands {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", Out>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto A, auto B, auto C) { product<How, Out>::body(sm, A, B, C, C); }
};

/// Rows of groups, of batches, and of sums that meet something else.
struct of_groups {
  static constexpr auto operands = sectile::operands(
      input<"A(E,M,K)", bf16>(), input<"B(E,N,K)", bf16>(), vector_input<"weight(E,M)", float>(),
      vector_input<"place(E,M)", s32>(), group_ends<"ends(E)", "M">(), scattered_output<"C(E,M,N)", bf16, "place">());
  static constexpr configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 1, .persistent = true};

  static constexpr void body(auto& sm, auto A, auto B, auto weight, auto, auto, auto C) {
    auto [e, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {e, m, k}) * transpose(sm.load(B, {e, n, k}));
    sm.store(C, {e, m, n}, acc * sm.load(weight, {e, m}));
  }
};
struct of_batches {
  static constexpr auto operands =
      sectile::operands(input<"A(G,M,K)", bf16>(), input<"B(N,K)", bf16>(), vector_input<"place(G,M)", s32>(),
                        scattered_output<"C(G,M,N)", bf16, "place">());
  static constexpr configuration how = plain;

  static constexpr void body(auto& sm, auto A, auto B, auto, auto C) {
    auto [g, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {g, m, n}, acc);
  }
};

}  // namespace sectile::test::scatters
