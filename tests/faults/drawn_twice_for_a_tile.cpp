// fault: a tile for which two numbers are drawn
// caught: compile time
// expect: not all roles of the cluster would make the same tile
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr int draw_ticket(std::uint32_t* counter, int tickets) {
    Machine::draw_ticket(counter, tickets);
    return Machine::draw_ticket(counter, tickets);
  }
};
static_assert(verified<on_machine<drawn_product, faulty>>);
