// fault: a barrier of partial sums that counts a part too few
// caught: compile time
// expect: more than the 1 other parts of a split arrive
#include "fault.hpp"

struct split_product : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 3};
};
template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_init(std::uint32_t barrier, int arrivals) {
    Machine::mbarrier_init(barrier, arrivals == split_product::how.split - 1 ? arrivals - 1 : arrivals);
  }
};
static_assert(verified<on_machine<split_product, faulty>>);
