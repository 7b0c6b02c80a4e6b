// fault: wrong transaction bytes: a barrier expects more than is copied, and never completes
// reported: tilelang#2567, cutlass#2879
// caught: compile time
// expect: bytes; 16 of them never come
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.ring[0].transaction_bytes += 16;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
