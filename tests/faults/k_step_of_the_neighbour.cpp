// fault: a descriptor that starts at the K step beside the right one
// reported: cutlass#2388
// caught: compile time
// expect: a wgmma multiplies K step 1 of its left factor by K step 0 of operand B
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <wgmma_instruction I, class D>
  constexpr void wgmma(D& d, std::uint64_t a, std::uint64_t b, bool accumulate) {
    Machine::template wgmma<I>(d, a ^ 2, b, accumulate);
  }
};
static_assert(verified<on_machine<product, faulty>>);
