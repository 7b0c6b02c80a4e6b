// fault: a ticket that is counted from another launch's token
// caught: model
// expect: which is not this launch's token
#include "running/in_parts.hpp"

namespace tickets_of_another_launch {

template <class Machine>
struct belated : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr int take_ticket(sectile::ticket_counters of, int counter, int tickets) {
    of.token -= 1ull << sectile::token_step_bits;
    return wrong<Machine>::take_ticket(of, counter, tickets);
  }
};

const running_case here([] {
  operands_in_parts o;
  o.run<on_machine<in_parts, belated>>(o.memory.view());
});

}  // namespace tickets_of_another_launch
