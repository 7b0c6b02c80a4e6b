// fault: two outputs whose panels lie at the same place
// caught: compile time
// expect: C and Z both lie at byte
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.epilogue[1].offset = p.epilogue[0].offset;
  return p;
}
static_assert(verified<with_plan<kept_product, tampered>>);
