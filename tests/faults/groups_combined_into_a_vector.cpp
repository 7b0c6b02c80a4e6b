// fault: numbers of tiles of groups that become one
// caught: compile time
// expect: operand most(E,T): combine() joins what tiles have whose number a launch knows, which those of groups along T are not; store its parts, or a matrix
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr auto operands =
      sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,N,K)", bf16>(), group_ends<"ends(E)", "T">(),
                        output<"Y(E,T,N)", bf16>(), vector_output<"most(E,T)", float>());

  static constexpr void body(auto& sm, auto X, auto W, auto, auto Y, auto most) {
    auto [e, t, n] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {e, t, k}) * transpose(sm.load(W, {e, n, k}));
    sm.combine(most, {e, t}, row_max(acc), reduction::max);
    sm.store(Y, {e, t, n}, acc);
  }
};
static_assert(verified<kernel>);
