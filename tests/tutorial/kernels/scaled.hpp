// A kernel that is none of Sectile's own, and what it should compute.
#pragma once
#include <sectile/dsl.hpp>
#include <sectile/dsl/tell/tutorial/tensor_values.hpp>

namespace mine {
namespace st = sectile;

/// C = alpha A B^T.
struct scaled {
  static constexpr auto operands =
      st::operands(st::input<"A(M,K)", st::f16>(), st::input<"B(N,K)", st::f16>(), st::output<"C(M,N)", st::f16>(),
                   st::scalar<"alpha", float>());
  static constexpr st::configuration how{.tile = {{"M", 128}, {"N", 128}, {"K", 64}}, .stages = 3, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto alpha) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * alpha);
  }
};
static_assert(st::verified<scaled>);

inline void scaled_product(const st::named_inputs& in, st::tensor_values& C) {
  for (int m = 0; m < C.extent[0]; ++m)
    for (int n = 0; n < C.extent[1]; ++n)
      for (int k = 0; k < in["A"].extent[1]; ++k) C(m, n) += in["alpha"]() * in["A"](m, k) * in["B"](n, k);
}

}  // namespace mine
