// fault: an empty barrier that counts more arrivals than there are consumers
// reported: cutlass#2701
// caught: compile time
// expect: stage 0 of A is not released as often as it is filled: fills 1, releases 0, when an output tile is done
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.ring[0].empty_arrivals += 1;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
