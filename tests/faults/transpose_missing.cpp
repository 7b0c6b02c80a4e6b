// fault: a transpose() that is missing where tiles are square, so that all extents match
// caught: compile time
// expect: a * b: the columns of a are mode K of A, the rows of b are mode N of B; is a transpose() missing?
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * sm.load(B, {n, k});
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
