// fault: wrong transaction bytes: a barrier expects fewer than are copied, and completes too early
// reported: cutlass#2701
// caught: compile time
// expect: 16 more come
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.ring[0].transaction_bytes -= 16;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
