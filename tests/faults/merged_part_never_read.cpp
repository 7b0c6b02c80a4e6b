// fault: a merge that adds what the first part has to the next one's, which is lost
// caught: compile time
// expect: sm.merge(f, x ..): f does not read both parts' value number 1 and make it what they are together, as a += its_a does, so one part's is lost; what all parts have alike is made behind sm.merge()
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    add_own_trips(acc, sm, A, B, m, n);
    sm.merge([](auto& x, auto& other) { other += x; }, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
