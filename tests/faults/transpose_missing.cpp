// fault: a transpose() that is missing where tiles are square, so that all extents match
// caught: compile time
// expect: a * b: the columns of a are along K, the rows of b along N; is a transpose() missing? What is summed over has one name
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
