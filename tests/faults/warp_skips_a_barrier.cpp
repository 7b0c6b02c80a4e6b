// fault: a named barrier that one warp passes by
// reported: vllm#26026
// caught: model
// expect: deadlock in cluster 0: no thread can go on
#include "running/running.hpp"

namespace warp_skips_a_barrier {

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void named_barrier_sync(int id, int threads) {
    if (this->thread() / 32 % 4 != 3) Machine::named_barrier_sync(id, threads);
  }
};

const running_case here([] { run_product<on_machine<product, faulty>>(); });

}  // namespace warp_skips_a_barrier
