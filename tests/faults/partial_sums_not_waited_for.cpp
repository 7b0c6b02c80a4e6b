// fault: partial sums that are read before they have come
// caught: compile time
// expect: which nobody has left there
#include "fault.hpp"

struct split_product : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
};
template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_wait_acquire(std::uint32_t, int) {}
};
static_assert(verified<on_machine<split_product, faulty>>);
