// fault: scales of blocks of rows that are cut into groups, which end anywhere in a block
// caught: compile time
// expect: operand SX: T/128 is in blocks, and T is cut into groups, which end anywhere in one; give each row an element
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr auto operands =
      sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,N,K)", bf16>(), vector_input<"SX(E,T/128)", float>(),
                        group_ends<"ends(E)", "T">(), output<"Y(E,T,N)", bf16>());
  static constexpr void body(auto& sm, auto X, auto W, auto SX, auto, auto Y) {
    auto [e, t, n] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {e, t, k}) * transpose(sm.load(W, {e, n, k}));
    sm.store(Y, {e, t, n}, acc * sm.load(SX, {e, t}));
  }
};
static_assert(verified<kernel>);
