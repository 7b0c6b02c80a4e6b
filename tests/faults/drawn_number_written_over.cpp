// fault: the number of a tile that is written over the one before, which some role has not read
// caught: compile time
// expect: is written over 157, which a consumer may not have read yet
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  static constexpr ticket_plan tickets = plan_of<drawn_product>.tickets;
  constexpr void mbarrier_wait(std::uint32_t barrier, int parity) {
    if (static_cast<int>(barrier) < ticket_empty_barrier(tickets, 0)) Machine::mbarrier_wait(barrier, parity);
  }
};
static_assert(verified<on_machine<drawn_product, faulty>>);
