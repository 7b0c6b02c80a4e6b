// fault: a named barrier with the wrong count
// reported: vllm#26026
// caught: compile time
// expect: a consumer of CTA 0 waits at named barrier 1 for 160 threads; 128 come
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void named_barrier_sync(int id, int threads) { Machine::named_barrier_sync(id, threads + 32); }
};
static_assert(verified<on_machine<product, faulty>>);
