// fault: a wait for a tile by one thread, behind which the others run on
// caught: model
// expect: without having waited for phase 0 of full[0] of A and B, which says so
#include "running/running.hpp"

namespace wait_of_one_thread {

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_wait(std::uint32_t barrier, int parity) {
    if (this->thread() % 128 == 0) Machine::mbarrier_wait(barrier, parity);
  }
};

const running_case here([] { run_product<on_machine<product, faulty>>(); });

}  // namespace wait_of_one_thread
