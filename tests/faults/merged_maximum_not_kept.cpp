// fault: a merge that scales sums by the larger maximum, and leaves the first part's where it was
// caught: compile time
// expect: sm.merge(f, x ..): f does not read both parts' value number 1 and make it what they are together, as a += its_a does, so one part's is lost; what all parts have alike is made behind sm.merge()
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    const auto [first, end] = sm.own_trips(0, tiles<"K">(A));
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(end - first)) acc += sm.load(A, {m, first + k}) * transpose(sm.load(B, {n, first + k}));
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
