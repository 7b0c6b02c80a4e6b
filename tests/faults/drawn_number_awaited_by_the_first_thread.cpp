// fault: threads that copy gathered rows, of which the first one alone waits for the number of their next tile
// caught: compile time
// expect: thread 1 of the producer waits, copies, reads or meets otherwise than the first one, by which the proof goes
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_wait(std::uint32_t barrier, int parity) {
    constexpr auto t = plan_of<drawn_gathered_product>.tickets;
    const bool number = static_cast<int>(barrier) >= t.barrier && static_cast<int>(barrier) < t.offset;
    if (!number || this->thread() == 0 || this->thread() >= warpgroup) Machine::mbarrier_wait(barrier, parity);
  }
};
static_assert(verified<on_machine<drawn_gathered_product, faulty>>);
