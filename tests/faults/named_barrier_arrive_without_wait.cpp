// fault: a named barrier at which everybody arrives and nobody waits
// reported: vllm#26026
// caught: compile time
// expect: a consumer announces itself at named barrier 1 to nobody: 128 threads are its own, and none of them waits
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void named_barrier_sync(int id, int threads) { Machine::named_barrier_arrive(id, threads); }
};
static_assert(verified<on_machine<product, faulty>>);
