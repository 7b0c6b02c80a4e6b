// fault: two tiles of an operand in use where there is room for one
// caught: compile time
// expect: operand A: a tile is loaded while a product still needs the one before; the portable readings keep one tile of each operand: multiply it first
#include <sectile/dsl/portable/plan.hpp>

#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto first = sm.load(A, {m, k});
      auto second = sm.load(A, {m + 1, k});
      auto b = transpose(sm.load(B, {n, k}));
      acc += first * b;
      acc += second * b;
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(portable::readable<kernel, portable::simt>);
