// A layer whose weights of few bits have scales and zero points for groups, as tests of several kinds of weights run
// it.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::test {

/// C = W A^T, where groups of 64 along K have a scale and a zero point of their own, as weights that are quantized by
/// groups have.
template <class Weight>
struct by_groups {
  static constexpr auto operands =
      sectile::operands(input<"W(N,K)", Weight>(), input<"A(M,K)", bf16>(), vector_input<"scale(G,N)", bf16>(),
                        vector_input<"zero(G,N)", bf16>(), output<"C(N,M)", float>());
  static constexpr configuration how{.tile = {{"N", 64}, {"M", 64}, {"K", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto W, auto A, auto scale, auto zero, auto C) {
    auto [n, m] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto w = cast<float>(in_registers(sm.load(W, {n, k})));
      const auto g = as<"G">(k);
      acc += cast<bf16>((w - sm.load(zero, {g, n})) * sm.load(scale, {g, n})) * transpose(sm.load(A, {m, k}));
    }
    sm.store(C, {n, m}, acc);
  }
};

}  // namespace sectile::test
