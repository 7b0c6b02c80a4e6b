// fault: what trips are to store is stored behind their loop
// caught: compile time
// expect: trip_output P is stored outside of a loop; store in one, in each trip, or declare it with output<..>()
#include "fault.hpp"

struct kernel : product_of_trips {
  static constexpr void body(auto& sm, auto A, auto B, auto P, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(P, {0, m, n}, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
