// fault: the number of tiles along a mode that the operand does not have
// caught: compile time
// expect: A has no mode N; it has M and K
// expect-clang: refused_because<sectile::rule::operand_is_used_in_another_way>
// expect-nvcc: refused_because<sectile::rule::operand_is_used_in_another_way>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"N">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
