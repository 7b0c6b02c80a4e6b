// fault: an empty barrier that counts only the consumers of its own CTA, though the peer reads the tile as well
// reported: DeepGEMM#429, cutlass#3324, cutlass#3643
// caught: compile time
// expect: the empty barrier of stage 0 of A in CTA 0 may receive more arrivals in phase 0 than the 2 that it counts
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.ring[0].empty_arrivals = p.how.consumers;
  return p;
}
static_assert(verified<with_plan<shared_product, tampered>>);
