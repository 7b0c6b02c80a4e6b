// fault: a stage that lies over the barriers
// reported: DeepGEMM#121
// caught: compile time
// expect: a ring's full barriers and A both lie at byte 0
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.ring[0].full_barrier = 0;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
