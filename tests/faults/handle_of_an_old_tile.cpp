// fault: a product of a tile that was loaded before the loop, in one trip of it: by then its stage holds another
// caught: compile time
// expect: operand A: a condition chooses which loaded tile is read; a tile is what one load brought: choose the coordinates, as in sm.load(A, {c ? i : j, ..})
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    auto first = sm.load(A, {m, 0});
    acc += first * transpose(sm.load(B, {n, 0}));
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto now = k == 7 ? first : a;
      acc += now * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
