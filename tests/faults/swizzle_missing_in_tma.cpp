// fault: a wrong swizzle on one side: TMA writes the tile as it comes, wgmma reads it swizzled
// reported: cutlass#1688, cutlass#2388
// caught: compile time
// expect: operand A, element 1, 0: TMA writes byte 128, wgmma reads byte 144
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.operand[a].box.swizzle = swizzle_mode::none;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
