// fault: shared memory over the limit of a CTA
// caught: compile time
// expect: bytes of shared memory, a CTA has 232448
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.shared_bytes = shared_memory_limit + 16;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
