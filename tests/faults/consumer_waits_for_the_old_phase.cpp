// fault: a consumer whose parity is that of the phase before
// caught: compile time
// expect: stage 0 of A is read by a product whose consumer has not waited for it
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_wait(std::uint32_t barrier, int parity) {
    Machine::mbarrier_wait(barrier, this->thread() == 0 ? parity : parity ^ 1);
  }
};
static_assert(verified<on_machine<product, faulty>>);
