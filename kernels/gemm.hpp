// C = A * B^T for matrices of any type that wgmma multiplies.
//
// A is M x K and B is N x K; C is M x N. Any sizes: tiles that hang over an edge are filled with zeros when loaded and
// clipped when stored. The body does not change with the type: what does is read off the operands.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels {

/// What a GEMM is besides its types.
struct gemm_form {
  storage_order a = row_major, b = row_major;  // row_major: K is contiguous. 16-bit types can be stored either way
  bool a_in_registers = false;                 // A passes through registers on its way to the tensor cores
  bool saturating = false;                     // sums of 8-bit integers are clamped instead of wrapped
  storage_order c = row_major;                 // row_major: N is contiguous
};

/// In the configuration that suits large matrices on an H100, with 128 bytes of K at a time. Sum is the type of the
/// accumulator.
template <class Left, class Right, class Out, gemm_form Form = gemm_form{}, class Sum = sum_type<Left>>
struct gemm {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", Left>(Form.a), input<"B(N,K)", Right>(Form.b), output<"C(M,N)", Out>(Form.c));
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 256}, {"K", 1024 / element_of<Left>().bits}},
                                     .stages = 4,
                                     .cluster = {2, 1},
                                     .consumers = 2,
                                     .persistent = true};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<Sum>());
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      if constexpr (Form.a_in_registers)
        acc += in_registers(a) * b;
      else if constexpr (Form.saturating)
        acc += saturate(a * b);
      else
        acc += a * b;
    }
    sm.store(C, {m, n}, acc);
  }
};

/// The same for outputs of few tiles and long sums: four CTAs make a tile together, each a quarter of the sums.
template <class Left, class Right, class Out, gemm_form Form = gemm_form{}>
struct split_gemm : gemm<Left, Right, Out, Form> {
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}, {"K", 2048 / element_of<Left>().bits}},
                                     .stages = 6,
                                     .consumers = 1,
                                     .split = 4};
};

/// The same where that still leaves most SMs idle: 32 CTAs make a tile, and meet in a workspace, which the launch is
/// given.
template <class Left, class Right, class Out, gemm_form Form = gemm_form{}>
struct workspace_gemm : split_gemm<Left, Right, Out, Form> {
  static constexpr configuration how = [] {
    configuration c = split_gemm<Left, Right, Out, Form>::how;
    c.split = 32;
    return c;
  }();
};

using gemm_bf16 = gemm<bf16, bf16, bf16>;
using gemm_bf16_split = split_gemm<bf16, bf16, bf16>;
using gemm_bf16_workspace = workspace_gemm<bf16, bf16, bf16>;
using gemm_bf16_f32 = gemm<bf16, bf16, float>;

}  // namespace sectile::kernels
