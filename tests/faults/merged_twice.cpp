// fault: sums that are merged a second time
// caught: compile time
// expect: sm.merge() names what another one has put together before, or what is made of that: each part's would count again; name each value once, in the first sm.merge() that needs it
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    add_own_trips(acc, sm, A, B, m, n);
    sm.merge([](auto& x, auto& other) { x += other; }, acc);
    sm.merge([](auto& x, auto& other) { x += other; }, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
