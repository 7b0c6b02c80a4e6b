// fault: a proxy fence by one warp only, although four have written
// caught: model
// expect: which consumer 0 (thread 160, outside of loops) wrote with ordinary stores and did not fence: it must call fence_proxy_async before the barrier
#include "running/running.hpp"

namespace fence_of_one_warp {

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void fence_proxy_async() {
    if (this->thread() / 32 % 4 == 0) Machine::fence_proxy_async();
  }
};

const running_case here([] { run_product<on_machine<product, faulty>>(); });

}  // namespace fence_of_one_warp
