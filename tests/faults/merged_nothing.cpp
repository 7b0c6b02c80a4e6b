// fault: a merge that names no values
// caught: compile time
// expect: sm.merge(f) names no values
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    add_own_trips(acc, sm, A, B, m, n);
    sm.merge([] {});
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
