// fault: rows of merged sums that are merged again
// caught: compile time
// expect: sm.merge() names what another one has put together before, or what is made of that
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    add_own_trips(acc, sm, A, B, m, n);
    sm.merge([](auto& x, auto& other) { x += other; }, acc);
    auto sums = row_sum(acc).total();
    sm.merge([](auto& x, auto& other) { x += other; }, sums);
    sm.store(C, {m, n}, acc * sums);
  }
};
static_assert(verified<kernel>);
