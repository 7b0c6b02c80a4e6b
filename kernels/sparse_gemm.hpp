// C = A * B^T where A keeps two of every four neighbours of a row (tf32: one of two): half the multiplications, and
// half the memory for A.
//
// A is M x K, given as a sparse_view of its values and metadata (dsl/launch/sparse.hpp makes one of a dense matrix); B
// is N x K and C is M x N, both dense and row-major. K is a multiple of 4 (tf32: 2); M and N are free.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels {

/// In the configuration that suits large matrices: with as many bytes of B on their way as a CTA has room for.
template <class Left, class Right, class Out, class Sum = sum_type<Left>>
struct sparse_gemm {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", Left>(), input<"B(N,K)", Right>(), output<"C(M,N)", Out>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 256}, {"K", 1024 / element_of<Left>().bits}},
                                     .stages = 5,
                                     .cluster = {2, 1},
                                     .consumers = 2,
                                     .persistent = true};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<Sum>());
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

/// C = W A^T + bias, a layer whose weight is sparse. wgmma takes its left factor alone sparse, so a row of C is an output;
/// C is stored by columns, and memory has a row for each of A's, as the next layer reads it.
template <class T>
struct sparse_linear {
  static constexpr auto operands = sectile::operands(sparse_input<"W(N,K)", T>(), input<"A(M,K)", T>(),
                                                     input<"bias(N)", T>(), output<"C(N,M)", T>(col_major));
  static constexpr configuration how{.tile = {{"N", 128}, {"M", 256}, {"K", 1024 / element_of<T>().bits}},
                                     .stages = 4,
                                     .cluster = {2, 1},
                                     .consumers = 2,
                                     .persistent = true};

  static constexpr void body(auto& sm, auto W, auto A, auto bias, auto C) {
    auto [n, m] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(W))) acc += sm.load(W, {n, k}) * transpose(sm.load(A, {m, k}));
    sm.store(C, {n, m}, acc + sm.load(bias, {n}));
  }
};

}  // namespace sectile::kernels
