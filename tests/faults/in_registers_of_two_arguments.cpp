// fault: in_registers() with a second argument
// caught: compile time
// expect: in_registers() with 2 arguments: write in_registers(tile), of one tile
// expect-clang: refused_because<sectile::rule::operand_is_used_in_another_way, 2>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + row_sum(cast<float>(in_registers(sm.load(A, {m, 0}), 1))));
  }
};
static_assert(verified<kernel>);
