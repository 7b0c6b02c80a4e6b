// fault: a tile that adds up the tiles in order as if it were the last, whichever it is
// caught: model
// expect: without knowing that its own warp's ticket of counter 0 was the last
#include "running/in_order.hpp"

namespace numbers_of_tiles_to_come {

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr int take_place(const sectile::ticket_counters& of, int counter, int tickets) {
    wrong<Machine>::take_place(of, counter, tickets);
    return tickets - 1;
  }
};

const running_case here([] {
  operands_in_order<> o;
  o.run<on_machine<in_order, faulty>>(o.room.view());
});

}  // namespace numbers_of_tiles_to_come
