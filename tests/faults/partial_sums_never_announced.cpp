// fault: a part of a split loop that never says that its sums are written
// caught: compile time
// expect: waits forever for the sums of 1 other parts
#include "fault.hpp"

struct split_product : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
};
static_assert(verified<split_product>);

template <class Machine>
struct silent : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_arrive_release(std::uint32_t, int) {}
};
static_assert(verified<on_machine<split_product, silent>>);
