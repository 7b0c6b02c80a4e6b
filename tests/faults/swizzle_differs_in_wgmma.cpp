// fault: a wrong swizzle on one side: TMA swizzles by 128 bytes, the descriptor says 64
// reported: cutlass#2388, Fuser#4918
// caught: compile time
// expect: operand B, element 1, 0: TMA writes byte 144, wgmma reads byte 64
// expect-clang: refused_because<sectile::rule::wgmma_does_not_read_what_tma_wrote, 1, 0, 144, 64>
// expect-nvcc: refused_because<sectile::rule::wgmma_does_not_read_what_tma_wrote, 1LL, 0LL, 144LL, 64LL>
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.products.at[0].b.swizzle = swizzle_mode::b64;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
