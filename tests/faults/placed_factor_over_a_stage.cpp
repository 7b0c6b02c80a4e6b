// fault: a left factor that is written over a stage
// caught: compile time
// expect: a left factor and B both lie at byte
#include "fault.hpp"

static_assert(verified<turned_chain>);

constexpr plan tampered(plan p) {
  p.placed.offset = p.ring[1].offset;
  return p;
}
static_assert(verified<with_plan<turned_chain, tampered>>);
