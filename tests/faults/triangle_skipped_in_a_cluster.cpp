// fault: CTAs of a cluster that share loads, and some tiles far from the first that have nothing to sum
// caught: compile time
// expect: CTAs of a 2 x 1 cluster share its loads but make different numbers of trips
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 3, .cluster = {2, 1}, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    const auto last_row = (m + 1) * extent<"M">(C) - 1, first_col = n * extent<"N">(C);
    auto acc = sm.accumulator(C);
    const auto trips = select(as<"M">(first_col) <= last_row, tiles<"K">(A), 0);
    for (auto k : sm.pipelined(trips)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
