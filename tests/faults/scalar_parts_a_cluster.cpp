// fault: CTAs of a cluster share loads, and a scalar argument makes one of them turn once more
// reported: DeepGEMM#415
// caught: compile time
// expect: share its loads but make different numbers of trips
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(),
                        scalar<"x", int>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 3, .cluster = {2, 1}, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto x) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(select(m < x, 1, 2))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
