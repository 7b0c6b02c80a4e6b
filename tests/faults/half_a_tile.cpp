// fault: copies that bring half of a tile
// reported: tilelang#2567
// caught: compile time
// expect: whose barrier expects 24576 bytes; 4096 of them never come
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.operand[b].box.extent[1] /= 2;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
