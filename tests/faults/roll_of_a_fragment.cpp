// fault: columns that are to move among threads
// caught: compile time
// expect: there is no roll(x) of a fragment of f32, 128 x 64; write a product with a matrix that moves the columns, or load them through two views of the tensor
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, roll(acc, 1));
  }
};
static_assert(verified<kernel>);
