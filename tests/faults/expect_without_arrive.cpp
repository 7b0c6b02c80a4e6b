// fault: transaction bytes are announced, but nobody arrives
// reported: tilelang#2566, cutlass#2879
// caught: compile time
// expect: a consumer of CTA 0 waits for stage 0 of A, whose barrier expects 24576 bytes; 24576 more come
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_arrive_expect(std::uint32_t, int) {}
};
static_assert(verified<on_machine<product, faulty>>);
