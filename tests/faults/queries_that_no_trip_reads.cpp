// fault: queries that are loaded for a loop over keys, of which there may be none
// caught: compile time
// expect: stage 0 of Q is loaded once more than a consumer reads it: a loop may make no trip, and what only it reads is brought into registers before it; or pipelined(at_least_one(n)) makes a trip
#include "fault.hpp"

struct kernel : grouped_scores {
  static constexpr void body(auto& sm, auto Q, auto K, auto V, auto, auto, auto O) {
    auto [e, s, d] = sm.tile_of(O);
    auto q = sm.load(Q, {e, s, 0});
    auto sum = sm.accumulator(O);
    for (auto t : sm.pipelined(tiles<"T">(K))) {
      auto scores = sm.accumulator(q * transpose(sm.load(K, {e, t, 0})));
      sum += cast<bf16>(scores) * sm.load(V, {e, t, d});
    }
    sm.store(O, {e, s, d}, sum);
  }
};
static_assert(verified<kernel>);
