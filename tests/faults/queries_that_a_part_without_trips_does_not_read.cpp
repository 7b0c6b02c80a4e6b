// fault: a tile that is loaded before a split loop, for products of the loop alone, of which a part may have no trip
// caught: compile time
// expect: stage 0 of Q is loaded once more than a consumer reads it: a part of a split may make no trip, however many its loop has, and what only it reads is brought into registers before it
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"Q(S,D)", bf16>(), input<"K(T,D)", bf16>(),
                                                     input<"V(T,E)", bf16>(), output<"O(S,E)", bf16>());
  static constexpr configuration how{
      .tile = {{"S", 64}, {"T", 64}, {"D", 64}, {"E", 64}}, .stages = 2, .consumers = 1, .split = 2};

  static constexpr void body(auto& sm, auto Q, auto K, auto V, auto O) {
    auto [s, e] = sm.tile_of(O);
    auto q = sm.load(Q, {s, 0});
    auto o = sm.accumulator(O);
    for (auto t : sm.pipelined(at_least_one(tiles<"T">(K)))) {
      auto x = sm.accumulator(q * transpose(sm.load(K, {t, 0})));
      o += cast<bf16>(x) * sm.load(V, {t, e});
    }
    sm.store(O, {s, e}, o);
  }
};
static_assert(verified<kernel>);
