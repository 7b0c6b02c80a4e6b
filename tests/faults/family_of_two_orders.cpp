// fault: a family whose members sum in different orders, so that the bits of a result depend on the sizes
// caught: compile time
// expect: configurations 0 and 1 sum in different orders: a row's bits would depend on which one a launch picks. Give them one tile along what is summed over, or say static constexpr auto sums = sectile::any_order
// expect-clang: refused_because<sectile::rule::members_sum_in_different_orders, 1>
// expect-nvcc: refused_because<sectile::rule::members_sum_in_different_orders, 1LL>
#include "fault.hpp"

struct kernel : product {
  static constexpr auto how = configurations(product::how, product::how.with_tile({{"M", 128}, {"K", 64}, {"N", 128}}));

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc *= row_sum(acc).total();
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
