// fault: TMA boxes half a swizzle span wide, placed as if they were whole
// reported: Fuser#4918
// caught: compile time
// expect: operand A, element 1, 0: TMA writes byte 64, wgmma reads byte 144
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.operand[a].box.extent[0] /= 2;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
