// fault: copies that bring half of a tile
// reported: tilelang#2567
// caught: compile time
// expect: operand B: CTA 0 copies the box at 64, 384 of the tensor to byte 0 of a stage of CTA 0; it is no part of the tile that is loaded there
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.operand[b].box.extent[1] /= 2;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
