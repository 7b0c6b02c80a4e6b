// fault: an output of 8-bit elements in a configuration that swaps
// caught: compile time
// expect: .swap = true with an output of 8-bit elements, which stmatrix transposes two by two
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", e4m3>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1, .swap = true};
};
static_assert(verified<kernel>);
