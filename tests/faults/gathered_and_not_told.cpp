// fault: copies of which no barrier is told
// caught: compile time
// expect: a consumer of CTA 0 waits forever for stage 0 of A: nobody loads it
#include "fault.hpp"

template <class Machine>
struct fault : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_arrive_copied(std::uint32_t) {}
};
static_assert(verified<on_machine<gathered_product, fault>>);
