// fault: row_sum() without an argument
// caught: compile time
// expect: row_sum() with 0 arguments: it takes a fragment and nothing else
// expect-clang: refused_because<sectile::rule::operand_is_used_in_another_way, 0>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * row_sum());
  }
};
static_assert(verified<kernel>);
