// fault: scattered rows whose lanes do not wait for each other
// caught: model
// expect: reads C of consumer 0 buffer 0
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
