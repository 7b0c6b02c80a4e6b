// fault: an accumulator tile larger than the registers of its consumers
// reported: cutlass#2904, triton#2662
// caught: compile time
// expect: fragments of 512 registers per thread do not fit: a consumer has 240, 28 of them for the rest; use smaller tiles or more consumers
// expect-clang: refused_because<sectile::rule::accumulators_do_not_fit_in_registers, 512, 240, 28>
// expect-nvcc: refused_because<sectile::rule::accumulators_do_not_fit_in_registers, 512LL, 240LL, 28LL>
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 512}, {"K", 64}, {"N", 256}}, .stages = 1, .consumers = 2};
};
static_assert(verified<kernel>);
