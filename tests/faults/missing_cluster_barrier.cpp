// fault: a cluster whose CTAs use each other's barriers before they are initialised
// reported: cutlass#1247, cutlass#3324
// caught: compile time
// expect: the producer of CTA 0 uses a barrier of CTA 1 that nobody has initialised
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void cluster_sync() {}
};
static_assert(verified<on_machine<shared_product, faulty>>);
