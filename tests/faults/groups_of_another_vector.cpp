// fault: weights of the first group's rows for the tiles of all
// caught: compile time
// expect: operand w is loaded at group 0 by the work of group
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr auto operands = sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,N,K)", bf16>(),
                                                     group_ends<"ends(E)", "T">(), vector_input<"w(E,T)", float>(),
                                                     output<"Y(E,T,N)", bf16>());

  static constexpr void body(auto& sm, auto X, auto W, auto, auto w, auto Y) {
    auto [e, t, n] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {e, t, k}) * transpose(sm.load(W, {e, n, k}));
    sm.store(Y, {e, t, n}, acc * sm.load(w, {0, t}));
  }
};
static_assert(verified<kernel>);
