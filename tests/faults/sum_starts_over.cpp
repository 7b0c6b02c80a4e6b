// fault: a product whose K steps overwrite the sum of those before
// caught: compile time
// expect: overwrites the sum of those before
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <wgmma_instruction I, class D>
  constexpr void wgmma(D& d, std::uint64_t a, std::uint64_t b, bool) {
    Machine::template wgmma<I>(d, a, b, false);
  }
};
static_assert(verified<on_machine<product, faulty>>);
