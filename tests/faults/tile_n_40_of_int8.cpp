// fault: N = 8 mod 16 where the type has no such instruction
// reported: tilelang#2593
// caught: compile time
// expect: operand B: tile N = 40; wgmma of s8 x s8 has N = 8, 16, 24, 32, 48, 64 .. 256, not 40; use 32 or 48
// expect-clang: refused_because<sectile::rule::n_has_no_wgmma_instruction, 40>
// expect-nvcc: refused_because<sectile::rule::n_has_no_wgmma_instruction, 40LL>
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", s8>(), input<"B(N,K)", s8>(), output<"C(M,N)", s32>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 128}, {"N", 40}});
};
static_assert(verified<kernel>);
