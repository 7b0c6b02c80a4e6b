// fault: C++'s own minimum, of a coordinate and a constant
// caught: compile time
// expect: there is no std::min(a, b) of a number; write min(a, b), without std::
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * std::min(m, 1));
  }
};
static_assert(verified<kernel>);
