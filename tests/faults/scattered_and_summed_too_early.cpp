// fault: a row of which a warp adds up the summands as if its own were the last
// caught: model
// expect: without knowing that its own warp's ticket of counter
#include "running/scattered.hpp"

namespace scattered_and_summed_too_early {

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr int take_place(const sectile::ticket_counters& of, int counter, int tickets) {
    wrong<Machine>::take_place(of, counter, tickets);
    return tickets - 1;
  }
};

const running_case here([] {
  scattered_operands o;
  o.run<on_machine<scattered_product, faulty>>();
});

}  // namespace scattered_and_summed_too_early
