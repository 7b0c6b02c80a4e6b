// fault: an output that belongs to no group
// caught: compile time
// expect: operand C(N,K) has no mode E: a tile belongs to one group, of E
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"Z(E,T,N)", bf16>(), input<"X(E,T,K)", bf16>(),
                                                     group_ends<"ends(E)", "T">(), output<"C(N,K)", float>());
  static constexpr sectile::configuration how{.tile = {{"N", 128}, {"K", 64}, {"T", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto Z, auto X, auto, auto C) {
    auto [n, k] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto t : sm.pipelined(tiles<"T">(X))) acc += transpose(sm.load(Z, {0, t, n})) * sm.load(X, {0, t, k});
    sm.store(C, {n, k}, acc);
  }
};
static_assert(verified<kernel>);
