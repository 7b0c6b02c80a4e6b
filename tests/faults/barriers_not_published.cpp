// fault: barriers that TMA and the cluster may not see initialised
// reported: cutlass#1247, cutlass#2701
// caught: compile time
// expect: whose initialisation no fence.mbarrier_init has made visible
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_init_fence() {}
};
static_assert(verified<on_machine<product, faulty>>);
