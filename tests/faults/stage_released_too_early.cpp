// fault: a stage that is released while a product still reads it
// reported: tilelang#2613
// caught: compile time
// expect: is overwritten while a consumer may still read it
#include "fault.hpp"

constexpr plan tampered(plan p) {
  for (step& s : p.steps)
    if (s.kind == event_kind::issue) {
      s.wait_after = -1;
      s.keep[0] = 0;
      s.release[0] = 1;
    }
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
