// fault: accumulators that take every register of a thread and leave none for addresses
// reported: cutlass#1676, triton#2662
// caught: compile time
// expect: fragments of 256 registers per thread do not fit
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 256}, {"K", 64}, {"N", 256}});
};
static_assert(verified<kernel>);
