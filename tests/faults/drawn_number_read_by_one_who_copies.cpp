// fault: a thread that says for all who copy gathered rows that they have read the number
// caught: compile time
// expect: which the producer may not have read yet
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void named_barrier_sync(int id, int threads) {
    if (this->thread() >= warpgroup) Machine::named_barrier_sync(id, threads);
  }
};
static_assert(verified<on_machine<drawn_gathered_product, faulty>>);
