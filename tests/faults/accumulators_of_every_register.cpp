// fault: accumulators that take every register of a thread and leave none for addresses
// reported: cutlass#1676, triton#2662
// caught: compile time
// expect: fragments of 256 registers per thread do not fit
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(row_major, tile(256, 64)),
                                                     input<"B(N,K)", bf16>(row_major, tile(256, 64)),
                                                     output<"C(M,N)", bf16>(row_major, tile(256, 256)));
};
static_assert(verified<kernel>);
