// fault: a merge that takes the values of one part
// caught: compile time
// expect: sm.merge(f, ..) of 1 values: f takes 1 of one part and then 1 of the next one, each by reference
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    add_own_trips(acc, sm, A, B, m, n);
    sm.merge([](auto& x) { x *= 2.0f; }, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
