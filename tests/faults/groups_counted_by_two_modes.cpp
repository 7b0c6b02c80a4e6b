// fault: groups of queries and groups of keys, counted along two modes
// caught: compile time
// expect: operands query_ends and key_ends count groups along E and B: a tile belongs to one group, whose number is the same in both; give it one name, key_ends(E)
#include "fault.hpp"

struct kernel : grouped_scores {
  static constexpr auto operands = sectile::operands(input<"Q(E,S,D)", bf16>(), input<"K(B,T,D)", bf16>(),
                                                     input<"V(B,T,D)", bf16>(), group_ends<"query_ends(E)", "S">(),
                                                     group_ends<"key_ends(B)", "T">(), output<"O(E,S,D)", bf16>());

  static constexpr void body(auto& sm, auto Q, auto K, auto V, auto, auto, auto O) {
    auto [e, s, d] = sm.tile_of(O);
    auto b = as<"B">(e);
    auto q = sm.load(Q, {e, s, 0});
    auto sum = sm.accumulator(O);
    for (auto t : sm.pipelined(at_least_one(tiles<"T">(K)))) {
      auto scores = sm.accumulator(q * transpose(sm.load(K, {b, t, 0})));
      sum += cast<bf16>(scores) * sm.load(V, {b, t, d});
    }
    sm.store(O, {e, s, d}, sum);
  }
};
static_assert(verified<kernel>);
