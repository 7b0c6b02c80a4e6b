// fault: the memory of a fragment
// caught: compile time
// expect: has no elements to name: they are spread over threads; map() and mask() reach each
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto* first = acc.data();
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
