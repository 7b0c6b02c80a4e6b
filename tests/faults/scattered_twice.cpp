// fault: rows that are scattered twice
// caught: compile time
// expect: operand C is stored 2 times by the work of one tile; store each output once
#include "fault.hpp"

struct kernel : scattered_product {
  static constexpr void body(auto& sm, auto A, auto, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
