// fault: a setmaxnreg that would have to lower a consumer
// reported: cutlass#3372
// caught: compile time
// expect: setmaxnreg can only raise a consumer from
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.producer_registers = 24;
  p.consumer_registers = 160;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
