// fault: a barrier that is initialised twice
// reported: cutlass#2365
// caught: compile time
// expect: a barrier is initialised twice
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_init(std::uint32_t barrier, int arrivals) {
    Machine::mbarrier_init(barrier, arrivals);
    Machine::mbarrier_init(barrier, arrivals);
  }
};
static_assert(verified<on_machine<product, faulty>>);
