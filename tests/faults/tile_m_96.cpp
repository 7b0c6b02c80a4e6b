// fault: tile rows that are no multiple of the instruction's 64
// caught: compile time
// expect: operand C: tile rows M = 96 do not split into
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(row_major, tile(96, 64)), input<"B(N,K)", bf16>(row_major, tile(64, 64)),
                        output<"C(M,N)", bf16>(row_major, tile(96, 64)));
  static constexpr sectile::schedule schedule{.stages = 2, .consumers = 1};
};
static_assert(verified<kernel>);
