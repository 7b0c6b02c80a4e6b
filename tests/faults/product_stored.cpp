// fault: storing a product that no accumulator has summed
// caught: compile time
// expect: store to C: the value is a product; a product needs an accumulator: sm.accumulator(a * b)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0})));
  }
};
static_assert(verified<kernel>);
