// fault: numbers of tiles of groups, in a vector
// caught: compile time
// expect: operand s(E,N): a group along T may have no tile beside which a vector is written; give it that mode, or store a matrix
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr auto operands =
      sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,N,K)", bf16>(), group_ends<"ends(E)", "T">(),
                        output<"Y(E,T,N)", bf16>(), vector_output<"s(E,N)", float>());

  static constexpr void body(auto& sm, auto X, auto W, auto, auto Y, auto s) {
    auto [e, t, n] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {e, t, k}) * transpose(sm.load(W, {e, n, k}));
    sm.combine(s, {e, n}, col_sum(acc), reduction::add);
    sm.store(Y, {e, t, n}, acc);
  }
};
static_assert(verified<kernel>);
