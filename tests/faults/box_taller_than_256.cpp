// fault: a TMA box of more than 256 rows
// caught: compile time
// expect: operand B: the TMA box's mode 1 has 264, the limit is 256
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.operand[b].box.extent[1] = 264;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
