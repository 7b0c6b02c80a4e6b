// fault: a barrier of half of the threads that copy gathered rows, where all of them come
// caught: compile time
// expect: 128 threads of CTA 0 come to a named barrier that counts 64
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void named_barrier_sync(int id, int threads) {
    Machine::named_barrier_sync(id, this->thread() < warpgroup ? threads / 2 : threads);
  }
};
static_assert(verified<on_machine<drawn_gathered_product, faulty>>);
