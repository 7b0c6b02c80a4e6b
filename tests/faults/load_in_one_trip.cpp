// fault: a tile that is loaded again in one trip of the loop
// caught: compile time
// expect: the body does different things in different runs or trips: loads, products, uses and stores must not stand under a run-time if (1 product was seen)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      if (k == 5) a = sm.load(A, {m, 0});
      acc += a * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
