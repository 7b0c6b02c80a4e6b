// fault: stages that are never released
// caught: compile time
// expect: stage 0 of A is not released as often as it is filled: fills 1, releases 0, when an output tile is done
#include "fault.hpp"

constexpr plan tampered(plan p) {
  for (step& s : p.steps) s.release[0] = 0;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
