// fault: a stage that is released twice
// reported: tilelang#972
// caught: compile time
// expect: the empty barrier of stage 0 of A in CTA 0 may receive more arrivals in phase 0 than the 2 that it counts
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_arrive(std::uint32_t barrier) {
    Machine::mbarrier_arrive(barrier);
    Machine::mbarrier_arrive(barrier);
  }
};
static_assert(verified<on_machine<product, faulty>>);
