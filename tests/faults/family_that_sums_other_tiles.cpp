// fault: a family whose members add up tiles of other widths in order
// caught: compile time
// expect: configurations 0 and 1 sum in different orders: a row's bits would depend on which one a launch picks. Give them one tile along what is summed over, or say static constexpr auto sums = sectile::any_order
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(M)", float>(), output<"C(M,N)", bf16>());
  static constexpr auto how = configurations(product::how, product::how.with_tile({{"M", 128}, {"K", 64}, {"N", 128}}));

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(v, {m}, acc, reduction::add);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
