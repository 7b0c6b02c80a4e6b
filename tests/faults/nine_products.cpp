// fault: a loop that is unrolled so far that its text has too many products
// caught: compile time
// expect: the body does too much in a few trips: more than 384 events, 8 products or 64 fragments in products
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A) / 9))
      for (int u = 0; u < 9; ++u)
        acc += sm.load(A, {m, 9 * k + u}) * transpose(sm.load(B, {n, 9 * k + u}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
