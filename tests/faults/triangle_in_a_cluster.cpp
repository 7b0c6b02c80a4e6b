// fault: CTAs of a cluster that share loads but make different numbers of trips
// reported: DeepGEMM#415
// caught: compile time
// expect: share its loads but make different numbers of trips
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 3, .cluster = {2, 1}, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    const auto trips = min(tiles<"K">(A), as<"K">(m) * 2 + 1);
    for (auto k : sm.pipelined(trips)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
