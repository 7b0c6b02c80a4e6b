// fault: load() of a fragment
// caught: compile time
// expect: load() begins with an operand of the body, not with a fragment of f32, 128 x 64
// expect-clang: refused_because<sectile::rule::operand_is_used_in_another_way
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(acc, {m, n}));
  }
};
static_assert(verified<kernel>);
