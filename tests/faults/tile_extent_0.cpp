// fault: an empty tile
// caught: compile time
// expect: operand A: tile extent 0 of mode 1 must be at least 1
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 0}, {"N", 64}});
};
static_assert(verified<kernel>);
