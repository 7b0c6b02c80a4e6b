// fault: a product that each trip keeps, and puts in the place of the sum
// caught: compile time
// expect: x = y: what a trip of a loop has left in x is lost, and nothing has used it; x += y adds
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto product = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      acc = product;
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
