// fault: a merge that scales sums by the larger maximum, and leaves the first part's where it was
// caught: compile time
// expect: sm.merge(f, x ..): f does not read both parts' value number 1 and make it what they are together, as a += its_a does, so one part's is lost; what all parts have alike is made behind sm.merge()
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    add_own_trips(acc, sm, A, B, m, n);
    auto most = row_max(acc);
    auto sum = exp2(acc - most);
    sm.merge(
        [](auto& m, auto& x, auto& its_m, auto& its_x) {
          const auto grown = max(m, its_m);
          x = x * exp2(m - grown) + its_x * exp2(its_m - grown);
        },
        most, sum);
    sm.store(C, {m, n}, sum * most);
  }
};
static_assert(verified<kernel>);
