// Two linear layers in one kernel: what the first gives is the left factor of the second, and never leaves the
// registers in between.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels {

/// C = (A W^T) V^T, where the product in brackets is rounded to T. A is M x K, W is L x K, V is N x L. Each tile of C
/// makes the rows of the first product that it needs, so this pays where N has a tile or two.
template <class T>
struct chained_linear {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", T>(), input<"W(L,K)", T>(), input<"V(N,L)", T>(), output<"C(M,N)", T>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 128}, {"L", 128}, {"K", 64}}, .stages = 3};

  static constexpr void body(auto& sm, auto A, auto W, auto V, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto l : sm.pipelined(tiles<"L">(W))) {
      auto hidden = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(W, {l, 0})));
      for (auto k : sm.pipelined(tiles<"K">(A) - 1))
        hidden += sm.load(A, {m, k + 1}) * transpose(sm.load(W, {l, k + 1}));
      const auto rounded = cast<T>(hidden);
      acc += rounded * transpose(sm.load(V, {n, l}));
    }
    sm.store(C, {m, n}, acc);
  }
};

}  // namespace sectile::kernels
