// fault: a tile for which two numbers are drawn
// caught: compile time
// expect: not all roles of the cluster would make the same tile
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr int number_drawn(const sectile::ticket_counters& of, int counter, std::uint64_t found, int tickets) {
    Machine::number_drawn(of, counter, found, tickets);
    return Machine::number_drawn(of, counter, found, tickets);
  }
};
static_assert(verified<on_machine<drawn_product, faulty>>);
