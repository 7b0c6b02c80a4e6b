// fault: more tile columns than an instruction has
// reported: cutlass#3393
// caught: compile time
// expect: operand B: tile N = 264; wgmma of bf16 x bf16 has N = 8, 16, 24 .. 256, not 264; use 256
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 64}, {"N", 264}});
};
static_assert(verified<kernel>);
