// fault: a vector in blocks is asked how long the mode is
// caught: compile time
// expect: SB has one element for each 48 along N, and does not know how long that is: ask a matrix that has N
#include "fault.hpp"

struct kernel : product_with_squares {
  static constexpr void body(auto& sm, auto A, auto B, auto SB, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum += part * sm.load(SB, {min(n, tiles<"N">(SB) - 1), as<"KB">(k)});
    }
    sm.store(C, {m, n}, sum);
  }
};
static_assert(verified<kernel>);
