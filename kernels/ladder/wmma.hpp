// Rung 2: tensor cores by the warp, through nvcuda::wmma.
//
// A program of the language, read for GPUs before Hopper: launch_portable<wmma>(A, B, C). All threads of the CTA copy
// the tiles of A and B into shared memory; each of its 8 warps then loads fragments of 16 x 16 numbers into registers
// and multiplies them with those of its neighbours (dsl/portable/wmma_reading.hpp).
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels::ladder {

struct wmma {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 128}, {"K", 64}},
                                     .consumers = 2};  // warpgroups, of 4 warps each

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
