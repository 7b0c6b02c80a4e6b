// One product for each of many matrices, in one launch.
#pragma once
#include <sectile/kernels/gemm.hpp>

namespace sectile::kernels {

/// C_l = A_l * B_l^T for each l. Views may lie anywhere in larger tensors: the heads of a layer, or parts of a matrix.
template <class Left, class Right, class Out>
struct batched_gemm {
  static constexpr auto operands =
      sectile::operands(input<"A(L,M,K)", Left>(), input<"B(L,N,K)", Right>(), output<"C(L,M,N)", Out>());
  static constexpr configuration how = gemm<Left, Right, Out>::how;

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [l, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {l, m, k}) * transpose(sm.load(B, {l, n, k}));
    sm.store(C, {l, m, n}, acc);
  }
};

/// C_l = A_l * B^T: one B for all, as when A_l are pieces of one matrix. K is contiguous in B, unless it is stored the
/// other way.
template <class Left, class Right, class Out, storage_order StoredB = row_major>
struct gemm_of_parts {
  static constexpr auto operands =
      sectile::operands(input<"A(L,M,K)", Left>(), input<"B(N,K)", Right>(StoredB), output<"C(L,M,N)", Out>());
  static constexpr configuration how = gemm<Left, Right, Out>::how;

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [l, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {l, m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {l, m, n}, acc);
  }
};

}  // namespace sectile::kernels
