// fault: rows that are cut into groups, in a matrix without the mode that counts these
// caught: compile time
// expect: operand X(T,K): T is cut into groups by ends: these are rows of a matrix, whose first mode is E: X(E,T,K)
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr auto operands = sectile::operands(input<"X(T,K)", bf16>(), input<"W(E,N,K)", bf16>(),
                                                     group_ends<"ends(E)", "T">(), output<"Y(E,T,N)", bf16>());

  static constexpr void body(auto& sm, auto X, auto W, auto, auto Y) {
    auto [e, t, n] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {t, k}) * transpose(sm.load(W, {e, n, k}));
    sm.store(Y, {e, t, n}, acc);
  }
};
static_assert(verified<kernel>);
