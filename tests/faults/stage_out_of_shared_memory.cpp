// fault: a stage behind the end of shared memory
// reported: triton#11366
// caught: compile time
// expect: lie outside the kernel
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.shared_bytes = 32768;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
