// fault: queries that meet the first group's keys
// caught: compile time
// expect: operand K is loaded at group 0 by the work of group
#include "fault.hpp"

struct kernel : grouped_scores {
  static constexpr void body(auto& sm, auto Q, auto K, auto V, auto, auto, auto O) {
    auto [e, s, d] = sm.tile_of(O);
    auto q = sm.load(Q, {e, s, 0});
    auto sum = sm.accumulator(O);
    for (auto t : sm.pipelined(at_least_one(tiles<"T">(K)))) {
      auto scores = sm.accumulator(q * transpose(sm.load(K, {0, t, 0})));
      sum += cast<bf16>(scores) * sm.load(V, {e, t, d});
    }
    sm.store(O, {e, s, d}, sum);
  }
};
static_assert(verified<kernel>);
