// fault: a counter that begins again before all tiles are drawn
// caught: compile time
// expect: the counter of drawn work begins again behind
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr int number_drawn(const sectile::ticket_counters& of, int counter, std::uint64_t found, int tickets) {
    return Machine::number_drawn(of, counter, found, tickets - 1);
  }
};
static_assert(verified<on_machine<drawn_product, faulty>>);
