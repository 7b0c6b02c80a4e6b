// Kernels whose clusters draw their tiles, and those that walk instead.
#pragma once
#include <sectile/dsl/launch/model.hpp>
#include <sectile/kernels/attention.hpp>

namespace sectile::test {

/// The same in small tiles that are drawn.
constexpr configuration drawn(configuration c) {
  c.tile = {{"M", 128}, {"N", 64}, {"K", 64}};
  c.persistent = c.dynamic = true;
  return c;
}

template <configuration How>
struct drawn_product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

/// K, whose clusters take every so manieth tile.
template <class K>
struct walking : K {
  static constexpr configuration how = [] {
    configuration c = K::how;
    c.dynamic = false;
    return c;
  }();
};

/// Attention whose tiles are drawn, those of two heads together.
template <int D, kernels::attention_mask Mask>
struct drawn_in_twos : kernels::attention<D, Mask> {
  static constexpr configuration how = [] {
    configuration c = kernels::attention<D, Mask>::how;
    c.persistent = c.dynamic = true;
    c.batches = 2;
    return c;
  }();
};

}  // namespace sectile::test
