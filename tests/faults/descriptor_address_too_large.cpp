// fault: a start address that does not fit a descriptor
// caught: compile time
// expect: a descriptor with start
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.ring[0].offset = 262144;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
