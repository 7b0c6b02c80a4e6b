// fault: a fragment is shifted as an integer is
// caught: compile time
// expect: a fragment of f32, 128 x 64 is no number: every thread holds some of its elements
// expect-clang: refused_because<sectile::rule::a_fragment_is_no_number_use_map
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc >> 2);
  }
};
static_assert(verified<kernel>);
