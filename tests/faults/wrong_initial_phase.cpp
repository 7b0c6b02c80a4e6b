// fault: a wrong initial phase: the producer waits for stages that were never filled
// reported: cutlass#2879, cutlass#2701
// caught: compile time
// expect: the producer waits forever for a free stage of A
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_wait(std::uint32_t barrier, int parity) {
    Machine::mbarrier_wait(barrier, this->thread() == 0 ? parity ^ 1 : parity);
  }
};
static_assert(verified<on_machine<product, faulty>>);
