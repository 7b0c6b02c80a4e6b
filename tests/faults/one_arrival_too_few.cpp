// fault: an empty barrier that counts fewer arrivals than there are consumers
// caught: compile time
// expect: the empty barrier of stage 0 of A in CTA 0 may receive more arrivals in phase 0 than the 1 that it counts
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.ring[0].empty_arrivals -= 1;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
