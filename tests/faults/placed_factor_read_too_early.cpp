// fault: a product that reads a left factor before all consumers have written it
// caught: compile time
// expect: a left factor is read by a product before all consumers are known to have written it
#include "fault.hpp"

static_assert(verified<turned_chain>);

/// They meet before they write, and not behind it.
template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  int met = 0;
  constexpr void named_barrier_sync(int id, int threads) {
    if (id != exchange_barrier(turned_chain::how.consumers) || met++ % 2 == 0) Machine::named_barrier_sync(id, threads);
  }
};
static_assert(verified<on_machine<turned_chain, faulty>>);
