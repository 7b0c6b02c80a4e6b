// fault: a producer that does not wait for a free stage
// reported: tilelang#2613
// caught: compile time
// expect: the full barrier of stage 0 of A in CTA 0 may receive more arrivals in phase 0 than the 1 that it counts
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_wait(std::uint32_t barrier, int parity) {
    if (this->thread() != 0) Machine::mbarrier_wait(barrier, parity);
  }
};
static_assert(verified<on_machine<product, faulty>>);
