// fault: a run-time if in a body that a family of configurations shares
// caught: compile time
// expect: a condition that is known only at run time decides nothing in a body. Use select(), min(), max() or mask(); a loop is sm.pipelined(n), and an if is such a loop of 0 or 1 trips
// clang-lines: 18
#include "fault.hpp"

struct kernel : product {
  static constexpr auto how = configurations(product::how, product::how.with_tile({{"M", 128}, {"K", 64}, {"N", 128}}));

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    if (m == 3) acc *= 2.0f;
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
