// fault: an epilogue that goes on behind the last row of its tile
// reported: tilelang#2522
// caught: compile time
// expect: operand C: panel 1 of consumer 1 begins at row 128, column 0 and reaches out of the tile of 128 x 64
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.epilogue[0].panels *= 2;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
