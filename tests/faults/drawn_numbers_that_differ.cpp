// fault: CTAs of a cluster that are told different numbers
// caught: compile time
// expect: not all roles of the cluster would make the same tile
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void store_shared_async(std::uint32_t to, std::uint32_t x, std::uint32_t barrier, int cta) {
    Machine::store_shared_async(to, x + static_cast<std::uint32_t>(cta), barrier, cta);
  }
};
static_assert(verified<on_machine<drawn_product, faulty>>);
