// fault: a product of f32 whose right factor has N contiguous, which no type can change
// caught: compile time
// expect: wgmma has no f32 x f32 -> f32; no product takes f32: declare it as tf32
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", float>(), input<"B(K,N)", float>(), output<"C(M,N)", float>());

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * sm.load(B, {k, n});
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
