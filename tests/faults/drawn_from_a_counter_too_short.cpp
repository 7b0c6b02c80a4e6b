// fault: a counter that begins again before all tiles are drawn
// caught: compile time
// expect: the counter of drawn work begins again behind
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr int draw_ticket(std::uint32_t* counter, int tickets) { return Machine::draw_ticket(counter, tickets - 1); }
};
static_assert(verified<on_machine<drawn_product, faulty>>);
