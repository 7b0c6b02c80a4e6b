// fault: a one-trip loop: bytes are announced from the second trip on
// reported: tilelang#2566
// caught: compile time
// expect: a consumer of CTA 0 waits for stage 0 of A, whose barrier expects 24576 bytes; 24576 more come
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  int loads = 0;
  constexpr void mbarrier_arrive_expect(std::uint32_t barrier, int bytes) {
    if (loads++ > 0) Machine::mbarrier_arrive_expect(barrier, bytes);
  }
};
static_assert(verified<on_machine<product, faulty>>);
