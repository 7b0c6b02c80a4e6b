// fault: parts of a tile that wait for each other in a workspace, as if all of them ran at the same time
// caught: compile time
// expect: a part of a tile waits in the workspace for others, of which it does not know that they run
#include "fault.hpp"

struct split_product : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 12};
};
template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr int take_ticket(const sectile::ticket_counters& of, int counter, int tickets) {
    const int before = Machine::take_ticket(of, counter, tickets);
    Machine::await_tickets(of, counter, tickets - 1);
    return before;
  }
};
static_assert(verified<on_machine<split_product, faulty>>);
