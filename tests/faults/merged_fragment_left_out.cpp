// fault: a fragment of one part that is used behind the merge, which does not name it
// caught: compile time
// expect: a value that one part has made is used behind sm.merge(f, x ..), which does not name it
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    add_own_trips(acc, sm, A, B, m, n);
    auto twice = acc * 2.0f;
    sm.merge([](auto& x, auto& other) { x += other; }, acc);
    sm.store(C, {m, n}, acc + twice);
  }
};
static_assert(verified<kernel>);
