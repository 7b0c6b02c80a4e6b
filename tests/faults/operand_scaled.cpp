// fault: an operand that is scaled as if it were a tile
// caught: compile time
// expect: a * b with a number and operand A: load a tile first: sm.load(A, {..})
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, 2.0f * A);
  }
};
static_assert(verified<kernel>);
