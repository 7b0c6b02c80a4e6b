// Rung 9: a warp that copies and warpgroups that multiply.
//
// From here on the kernel is a program of the language. Its plan has the ring of rung 8, but a thread of a warpgroup of
// its own fills it: no one who multiplies stops to copy. That thread does not see products complete, so each stage has
// a second barrier, `empty`, by which the others tell it. It needs few registers and gives the rest away, so that two
// warpgroups have a tile of 64 x 256 each.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels::ladder {

struct warp_specialization {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 256}, {"K", 64}}, .stages = 4, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      sum += a * b;
    }
    sm.store(C, {m, n}, sum);
  }
};

}  // namespace sectile::kernels::ladder
