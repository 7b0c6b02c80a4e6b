// fault: an if on a trip, in a kernel that the same file runs
// caught: compile time
// expect: a condition that is known only at run time decides nothing in a body. Use select(), min(), max() or mask()
// clang-lines: 16
#include "running/running.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    if (m == 3) acc *= 2.0f;
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);

void run() { run_product<kernel>(); }
