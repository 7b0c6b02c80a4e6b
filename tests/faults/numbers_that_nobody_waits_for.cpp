// fault: a ticket for the numbers of a tile that does not wait for what the other lanes of its warp leave
// caught: model
// expect: but its warp has taken no ticket that comes behind it
#include "running/in_order.hpp"

namespace numbers_that_nobody_waits_for {

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void warp_sync() {}
};

const running_case here([] {
  operands_in_order<> o;
  o.run<on_machine<in_order, faulty>>(o.room.view());
});

}  // namespace numbers_that_nobody_waits_for
