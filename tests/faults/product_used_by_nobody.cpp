// fault: an accumulator that is declared in the loop, and whose sums go with each trip
// caught: compile time
// expect: a product's accumulator goes out of scope and nothing has used it; declare it before the loop
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sums = sm.accumulator(C);
    sums = 0.0f;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto acc = sm.accumulator(C);
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, sums);
  }
};
static_assert(verified<kernel>);
