// fault: tile_of() that is not asked of sm
// caught: compile time
// expect: tile_of(C) is asked of the body's first argument: sm.tile_of(C)
// expect-clang: refused_because<sectile::rule::operand_is_used_in_another_way>
// clang-lines: 26
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
