// fault: an atomic addition, by the machine of another language
// caught: compile time
// expect: there is no sm.atomic_add(..); write sm.combine(v, {m}, x, reduction::add), or store() what no other tile has
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.atomic_add(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
