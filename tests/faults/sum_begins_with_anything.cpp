// fault: the first product of a sum is added to what the registers happen to hold
// caught: compile time
// expect: a product with operand B is added to registers that nothing has been written to; the body begins a sum with it
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <wgmma_instruction I, class D>
  constexpr void wgmma(D& d, std::uint64_t a, std::uint64_t b, bool) {
    Machine::template wgmma<I>(d, a, b, true);
  }
};
static_assert(verified<on_machine<product, faulty>>);
