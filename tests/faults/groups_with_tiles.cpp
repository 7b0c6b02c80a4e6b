// fault: a vector along rows of groups that is to come with tiles
// caught: compile time
// expect: operand w(E,T): a vector along groups is read in memory; leave out with_tiles
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr auto operands =
      sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,N,K)", bf16>(), group_ends<"ends(E)", "T">(),
                        vector_input<"w(E,T)", float>(with_tiles), output<"Y(E,T,N)", bf16>());

  static constexpr void body(auto& sm, auto X, auto W, auto, auto w, auto Y) {
    auto [e, t, n] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {e, t, k}) * transpose(sm.load(W, {e, n, k}));
    sm.store(Y, {e, t, n}, acc * sm.load(w, {e, t}));
  }
};
static_assert(verified<kernel>);
