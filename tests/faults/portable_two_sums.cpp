// fault: sums in two types under WMMA, which may lie in registers differently
// caught: compile time
// expect: products of f16 summed in f32 and of f16 summed in f16: nvcuda::wmma may hold their sums differently
#include <sectile/dsl/portable/plan.hpp>

#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", f16>(), input<"B(N,K)", f16>(), output<"C(M,N)", f16>());
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto wide = sm.accumulator(C);
    auto narrow = sm.accumulator(C, as<f16>());
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      wide += a * b;
      narrow += a * b;
    }
    sm.store(C, {m, n}, wide);
  }
};
static_assert(portable::readable<kernel, portable::wmma<>>);
