// fault: CTAs that share rows add up what all of them have
// caught: compile time
// expect: a cluster of 1 x 2 CTAs shares rows of C, and what it reduces along another mode than N all of them have, so it would count 2 times; use {2, 1}
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}},
                                              .stages = 2,
                                              .cluster = {1, 2},
                                              .consumers = 1,
                                              .swap = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.wide_tile_of(C);
    const auto a = sm.load(A, {m, 0});
    auto acc = sm.accumulator(a * transpose(sm.load(B, {n, 0})));
    sm.store(C, {m, n}, acc / row_sum(cast<float>(in_registers(a))).total());
  }
};
static_assert(verified<kernel>);
