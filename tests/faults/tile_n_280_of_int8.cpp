// fault: more tile columns than an instruction of integers has
// reported: cutlass#3393
// caught: compile time
// expect: not 280; use 256
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", s8>(), input<"B(N,K)", s8>(), output<"C(M,N)", s32>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 128}, {"N", 280}});
};
static_assert(verified<kernel>);
