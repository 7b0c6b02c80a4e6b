// fault: the place of the largest among so many rows
// caught: compile time
// expect: row_argmax(x, {m, n}, columns): columns counts along M, those of x are along N: size<"N">(C)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - row_argmax(acc, {m, n}, size<"M">(C)).value);
  }
};
static_assert(verified<kernel>);
