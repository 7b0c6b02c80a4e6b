// fault: a product of three factors
// caught: compile time
// expect: a * b with a product and a tile of B: a product needs an accumulator
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})) * sm.load(B, {n, k});
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
