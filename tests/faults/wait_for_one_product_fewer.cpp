// fault: a wait that leaves one product more in flight than it should
// reported: ThunderKittens#33
// caught: compile time
// expect: registers of a fragment are used while a product on them may still run: a wait for it is missing
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <int N>
  constexpr void wgmma_wait() {
    Machine::template wgmma_wait<N + 1>();
  }
};
static_assert(verified<on_machine<product, faulty>>);
