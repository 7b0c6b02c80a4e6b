// fault: a setmaxnreg that is no multiple of 8
// reported: cutlass#1311
// caught: compile time
// expect: setmaxnreg takes multiples of 8 from 24 to 256, not
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.consumer_registers = 220;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
