// fault: two outputs where shared memory has room for the panels of one
// caught: compile time
// expect: 6 stages of 32768 bytes and 49152 for the epilogue need
#include "fault.hpp"

struct kernel : kept_product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"Z(M,N)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 192}, {"K", 64}, {"N", 64}}, .stages = 6, .consumers = 3};
};
static_assert(verified<kernel>);
