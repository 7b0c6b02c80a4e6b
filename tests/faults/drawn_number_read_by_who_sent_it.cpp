// fault: a producer that takes the number that it has sent itself for there already
// caught: compile time
// expect: the producer reads the number of its next work item without having waited until it is there
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  static constexpr ticket_plan tickets = plan_of<drawn_product>.tickets;
  constexpr void mbarrier_wait(std::uint32_t barrier, int parity) {
    const int at = static_cast<int>(barrier);
    const bool full = at >= ticket_full_barrier(tickets, 0) && at < ticket_empty_barrier(tickets, 0);
    if (this->thread() != 0 || this->cta_rank() != 0 || !full) Machine::mbarrier_wait(barrier, parity);
  }
};
static_assert(verified<on_machine<drawn_product, faulty>>);
