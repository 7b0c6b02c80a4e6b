// fault: scales for blocks of all groups' rows, loaded as if no mode counted groups
// caught: compile time
// expect: operand S(KB,T): T is cut into groups by ends: it is the last mode of a vector, which has E as well: S(E,KB,T)
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr auto operands = sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,N,K)", bf16>(),
                                                     group_ends<"ends(E)", "T">(), vector_input<"S(KB,T)", float>(),
                                                     output<"Y(E,T,N)", bf16>());

  static constexpr void body(auto& sm, auto X, auto W, auto, auto S, auto Y) {
    auto [e, t, n] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {e, t, k}) * transpose(sm.load(W, {e, n, k}));
    sm.store(Y, {e, t, n}, acc * sm.load(S, {0, t}));
  }
};
static_assert(verified<kernel>);
