// fault: gathered rows that are copied to a stage which consumers may still read
// caught: compile time
// expect: the full barrier of stage 0 of A in CTA 0 may receive more arrivals in phase 0 than the 129 that it counts
#include "fault.hpp"

template <class Machine>
struct fault : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_wait(std::uint32_t barrier, int parity) {
    if (this->thread() >= warpgroup) wrong<Machine>::mbarrier_wait(barrier, parity);
  }
};
static_assert(verified<on_machine<gathered_product, fault>>);
