// fault: a fragment as a coordinate
// caught: compile time
// expect: a coordinate of a tile of C is a fragment of f32, 128 x 64: coordinates count tiles, as those of sm.tile_of(C), the trips of a loop and plain numbers do
// expect-clang: refused_because<sectile::rule::operand_is_used_in_another_way
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, acc}, acc);
  }
};
static_assert(verified<kernel>);
