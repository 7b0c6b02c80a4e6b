// fault: an empty tile
// caught: compile time
// expect: operand A: tile extent 0 of mode 1 must be at least 1
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 0)), input<"B(N,K)", bf16>(row_major, tile(64, 0)),
                        output<"C(M,N)", bf16>(row_major, tile(128, 64)));
};
static_assert(verified<kernel>);
