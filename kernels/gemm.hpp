// C = A * B^T for bf16 matrices, accumulated in f32.
//
// A is M x K and B is N x K, both row-major, so K is contiguous in both; C is M x N. Any sizes: tiles that hang over an
// edge are filled with zeros when loaded and clipped when stored.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels {

/// The tile and schedule that suit large matrices on an H100; Out is bf16 or float.
template <class Out>
struct gemm {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 64)),
                                                     input<"B(N,K)", bf16>(row_major, tile(256, 64)),
                                                     output<"C(M,N)", Out>(row_major, tile(128, 256)));
  static constexpr sectile::schedule schedule{.stages = 4, .cluster = {2, 1}, .consumers = 2, .persistent = true};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(A.tiles(1))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

using gemm_bf16 = gemm<bf16>;
using gemm_bf16_f32 = gemm<float>;

}  // namespace sectile::kernels
