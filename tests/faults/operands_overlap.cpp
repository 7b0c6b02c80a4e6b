// fault: two tiles at the same place in a stage
// caught: compile time
// expect: B and A both lie at byte 0
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.operand[b].stage_offset = 0;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
