// fault: a merge that reduces rows, of which other warps may have none to merge
// caught: compile time
// expect: sm.merge(f, ..): f does more than compute with elements; what it loads, multiplies, reduces or stores stands before sm.merge()
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    add_own_trips(acc, sm, A, B, m, n);
    sm.merge([](auto& x, auto& other) { x += other - row_max(other); }, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
