// fault: a named barrier that a CTA does not have
// caught: compile time
// expect: uses named barrier 16; a CTA has 16
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void named_barrier_sync(int id, int threads) { Machine::named_barrier_sync(id + 15, threads); }
};
static_assert(verified<on_machine<product, faulty>>);
