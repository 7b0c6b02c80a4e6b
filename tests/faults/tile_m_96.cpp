// fault: tile rows that are no multiple of the instruction's 64
// caught: compile time
// expect: operand C: tile rows M = 96 do not split into
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 96}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
};
static_assert(verified<kernel>);
