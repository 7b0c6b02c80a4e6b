// A product with a bias, for the cases that get the bias wrong.
#pragma once
#include "running.hpp"

/// C = A * B^T + bias.
struct with_bias {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"bias(N)", float>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how = product::how;

  static constexpr void body(auto& sm, auto A, auto B, auto bias, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(bias, {n}));
  }
};

/// Launches it on the model with bias_in(C's numbers), of 64 columns.
template <class Bias>
void run_with_bias(Bias bias_in) {
  host_matrix<bf16> A(128, 64), B(64, 64);
  host_matrix<float> C(128, 64);
  run_on_model<with_bias>(A.in(), B.in(), bias_in(C.value.data()), C.view());
}
