// fault: consumers that make one trip more than the producer
// reported: cutlass#2238
// caught: compile time
// expect: a consumer of CTA 0 waits forever for stage 1 of A: nobody loads it
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr int trips(int position, int asked) const {
    return Machine::trips(position, asked) + (this->thread() == 0 ? 0 : 1);
  }
};
static_assert(verified<on_machine<product, faulty>>);
