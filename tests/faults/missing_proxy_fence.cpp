// fault: a missing proxy fence before the TMA store: TMA may read what shared memory held before
// caught: compile time
// expect: an epilogue buffer is stored before its writers' proxy fence and barrier
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void fence_proxy_async() {}
};
static_assert(verified<on_machine<product, faulty>>);
