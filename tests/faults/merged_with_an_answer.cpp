// fault: a merge whose function returns the sum
// caught: compile time
// expect: sm.merge(f, ..): f returns something, which nobody takes; it changes what it is given of the first part: a += its_a
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    add_own_trips(acc, sm, A, B, m, n);
    sm.merge([](auto& x, auto& other) { return x + other; }, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
