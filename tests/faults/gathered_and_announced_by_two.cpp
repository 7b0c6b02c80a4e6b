// fault: bytes of a stage that two of the threads announce that copy gathered rows
// caught: compile time
// expect: thread 1 of the producer announces bytes, loads, draws or waits, which the first one does for all
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_arrive_copied(std::uint32_t barrier) {
    Machine::mbarrier_arrive_copied(barrier);
    if (this->thread() == 1) this->mbarrier_arrive_expect(barrier, 16);
  }
};
static_assert(verified<on_machine<gathered_product, faulty>>);
