// fault: tickets of scattered rows that do not wait for what other lanes leave
// caught: model
// expect:
#include "running/scattered.hpp"

namespace scattered_and_not_waited_for {

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void warp_sync() {}
};

const running_case here([] {
  scattered_operands o;
  o.run<on_machine<scattered_product, faulty>>();
});

}  // namespace scattered_and_not_waited_for
