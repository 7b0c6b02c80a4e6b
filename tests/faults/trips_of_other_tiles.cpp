// fault: a causal loop over keys in tiles of 64, of as many trips as there are tiles of 128 rows up to this one
// caught: compile time
// expect: pipelined(n): n counts tiles of 128 along S, trips along T count tiles of 64; those of so many elements are (n * 128 + 63) / 64, and n * 1 says that a trip for each tile is meant
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(sectile::input<"Q(S,D)", bf16>(), sectile::input<"K(T,D)", bf16>(),
                        sectile::input<"V(T,D)", bf16>(), sectile::output<"O(S,D)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"S", 128}, {"T", 64}, {"D", 64}}, .stages = 2, .consumers = 2};
  static constexpr void body(auto& sm, auto Q, auto K, auto V, auto O) {
    auto [s, d] = sm.tile_of(O);
    auto q = sm.load(Q, {s, 0});
    auto sum = sm.accumulator(O);
    for (auto t : sm.pipelined(min(as<"T">(s + 1), tiles<"T">(K)))) {
      const auto x = sm.accumulator(q * transpose(sm.load(K, {t, 0})));
      sum += cast<bf16>(x) * sm.load(V, {t, d});
    }
    sm.store(O, {s, d}, sum);
  }
};
static_assert(verified<kernel>);
