// fault: an ordinary loop, whose trip count the pipeline cannot know
// caught: compile time
// expect: the body does different things in different runs
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
