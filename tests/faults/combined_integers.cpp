// fault: integers that are combined before they are f32
// caught: compile time
// expect: combine into v: the value is a fragment of s32, 128 x 64; fragments are combined in f32: write cast<float>() of the one of s32
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", s8>(), input<"B(N,K)", s8>(),
                                                     output<"v(N)", float>(), output<"C(M,N)", s32>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(v, {n}, acc, reduction::max);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
