// fault: a body that stores what one part has made of its own trips
// caught: compile time
// expect: split = 2: the body stores what one part has made of its sm.own_trips(); it is merged with what the others have made first, by sm.merge(f, x ..)
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    add_own_trips(acc, sm, A, B, m, n);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
