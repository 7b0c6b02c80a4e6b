// fault: an ordinary loop over tiles: the pipeline cannot know how many trips it makes
// caught: compile time
// expect: a condition that is known only at run time decides nothing in a body. Use select(), min(), max() or mask(); a loop is sm.pipelined(n)
// clang-lines: 26
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (int k = 0; k < tiles<"K">(A); ++k) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
