// fault: a product in parts that is added to two sums
// caught: compile time
// expect: a product in parts is added once: the last one's registers were those of all
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto part = sm.in_parts(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      acc = fma(part, 2.0f, acc);
      acc = fma(part, 3.0f, acc);
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
