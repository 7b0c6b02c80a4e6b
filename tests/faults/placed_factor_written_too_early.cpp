// fault: a left factor that a consumer writes while a product of another may still read the one before
// caught: compile time
// expect: a left factor is overwritten while a product may still read it
#include "fault.hpp"

static_assert(verified<turned_chain>);

/// They meet behind what they write, and not before it.
template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  int met = 0;
  constexpr void named_barrier_sync(int id, int threads) {
    if (id != exchange_barrier(turned_chain::how.consumers) || met++ % 2 == 1) Machine::named_barrier_sync(id, threads);
  }
};
static_assert(verified<on_machine<turned_chain, faulty>>);
