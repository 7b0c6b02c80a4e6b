// fault: a merge that is given the sums in front of its function
// caught: compile time
// expect: sm.merge(f, x ..): some x is nothing that parts have made: name fragments, and numbers of rows or columns
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    add_own_trips(acc, sm, A, B, m, n);
    sm.merge(acc, [](auto& x, auto& other) { x += other; });
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
