// fault: a product in parts that is added as a whole
// caught: compile time
// expect: a + b with a fragment of f32, 128 x 64 and a product in parts: each part is added to sums before the next is made
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc = acc + sm.in_parts(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
