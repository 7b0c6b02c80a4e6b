// fault: storing a value of another shape than the output's tile
// caught: compile time
// expect: store to C: the value is 128 x 128, the tile of C is 128 x 64; they must have the same shape
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto square = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(A, {m, 0})));
    sm.store(C, {m, n}, square);
  }
};
static_assert(verified<kernel>);
