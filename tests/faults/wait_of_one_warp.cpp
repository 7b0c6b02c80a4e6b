// fault: a wgmma.wait by one warp of the four
// reported: ThunderKittens#33
// caught: model
// expect: is at wgmma_fence where other threads of its warpgroup are at wgmma_wait<1>
#include "running/running.hpp"

namespace wait_of_one_warp {

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <int N>
  constexpr void wgmma_wait() {
    if (this->thread() / 32 % 4 == 0) Machine::template wgmma_wait<N>();
  }
};

const running_case here([] { run_product<on_machine<product, faulty>>(); });

}  // namespace wait_of_one_warp
