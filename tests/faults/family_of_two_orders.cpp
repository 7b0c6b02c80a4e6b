// fault: a family whose members sum in different orders, so that the bits of a result depend on the sizes
// caught: compile time
// expect: configurations 0 and 1 sum in different orders, so a row's bits would depend on which of them a launch picks
// expect-clang: refused_because<sectile::rule::members_sum_in_different_orders, 1>
// expect-nvcc: refused_because<sectile::rule::members_sum_in_different_orders, 1LL>
#include "fault.hpp"

struct kernel : product {
  static constexpr auto how = configurations(product::how, product::how.with_tile({{"M", 128}, {"K", 32}, {"N", 64}}));
};
static_assert(verified<kernel>);
