// fault: a product without a wait for its tile
// caught: compile time
// expect: is read by a product whose consumer has not waited for it
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_wait(std::uint32_t barrier, int parity) {
    if (this->thread() == 0) Machine::mbarrier_wait(barrier, parity);
  }
};
static_assert(verified<on_machine<product, faulty>>);
