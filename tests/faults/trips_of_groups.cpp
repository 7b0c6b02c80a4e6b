// fault: trips store rows of groups
// caught: compile time
// expect: trip_output P: M is cut into groups, which end anywhere in a tile; trips store to matrices that lie whole
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(E,M,K)", bf16>(), input<"B(E,N,K)", bf16>(), group_ends<"ends(E)", "M">(),
                        trip_output<"P(E,T,M,N)", bf16>(), output<"C(E,M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 2, .persistent = true};

  static constexpr void body(auto& sm, auto A, auto B, auto, auto P, auto C) {
    auto [e, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      acc += sm.load(A, {e, m, k}) * transpose(sm.load(B, {e, n, k}));
      sm.store(P, {e, as<"T">(k), m, n}, acc);
    }
    sm.store(C, {e, m, n}, acc);
  }
};
static_assert(verified<kernel>);
