// fault: packed sequences of heads that fall into groups: more modes than a tensor map has room for
// caught: compile time
// expect: operand Q(B,G,H,S,D): S is cut into groups by ends, which takes a tensor map of 6 dimensions, and TMA counts along 5; make one mode of two
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"Q(B,G,H,S,D)", bf16>(), input<"W(G,N,D)", bf16>(),
                                                     group_ends<"ends(B)", "S">(), output<"O(B,G,H,S,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"S", 128}, {"D", 64}, {"N", 64}}, .stages = 2, .consumers = 2, .persistent = true};

  static constexpr void body(auto& sm, auto Q, auto W, auto, auto O) {
    auto [b, g, h, s, n] = sm.tile_of(O);
    auto acc = sm.accumulator(O);
    for (auto d : sm.pipelined(tiles<"D">(Q))) acc += sm.load(Q, {b, g, h, s, d}) * transpose(sm.load(W, {g, n, d}));
    sm.store(O, {b, g, h, s, n}, acc);
  }
};
static_assert(verified<kernel>);
