// fault: a tile from before a loop that is multiplied behind it, while the loop needs its stage
// caught: compile time
// expect: the producer waits forever for a free stage of A (it has 2): the consumers hold 2 and wait for what is loaded next; a tile from before a loop is read behind it: load it there, or bring it into registers
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    const auto first = sm.load(A, {m, 0});
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc += first * transpose(sm.load(B, {n, 0}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
