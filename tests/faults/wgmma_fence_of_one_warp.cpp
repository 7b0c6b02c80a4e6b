// fault: a wgmma.fence by one warp of the four
// reported: cutlass#1840
// caught: model
// expect: takes as accumulator registers that it has touched since its last wgmma_fence
#include "running/running.hpp"

namespace wgmma_fence_of_one_warp {

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void wgmma_fence() {
    if (this->thread() / 32 % 4 == 0) Machine::wgmma_fence();
  }
};

const running_case here([] { run_product<on_machine<product, faulty>>(); });

}  // namespace wgmma_fence_of_one_warp
