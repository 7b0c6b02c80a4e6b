// fault: a ticket that is taken for last though others have not come
// caught: model
// expect: where no cluster has left its part yet
#include "running/in_parts.hpp"

namespace sums_before_their_ticket {

template <class Machine>
struct impatient : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr int take_ticket(const sectile::ticket_counters& of, int tile, int tickets) {
    wrong<Machine>::take_ticket(of, tile, tickets);
    return tickets - 1;
  }
};

const running_case here([] {
  operands_in_parts o;
  o.run<on_machine<in_parts, impatient>>(o.memory.view());
});

}  // namespace sums_before_their_ticket
