// fault: more bytes in a stage than a barrier can count
// caught: compile time
// expect: exceeds what one barrier counts, 1048575
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.ring[0].transaction_bytes = 1 << 20;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
