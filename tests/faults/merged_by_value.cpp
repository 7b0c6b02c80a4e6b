// fault: a merge that changes a copy of what parts have made
// caught: compile time
// expect: sm.merge(f, ..): f makes the values of one part those of both, so it takes them as auto& and changes them
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    add_own_trips(acc, sm, A, B, m, n);
    sm.merge([](auto x, auto& other) { x += other; }, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
