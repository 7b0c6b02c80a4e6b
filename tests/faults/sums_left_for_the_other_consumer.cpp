// fault: sums that a consumer leaves in the other one's place of the workspace
// caught: compile time
// expect: consumer 0 leaves its sums in the workspace where those of consumer 1 belong
#include "fault.hpp"

struct split_product : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 12};
};
template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void store_workspace(std::byte* sums, long long offset, const std::uint32_t (&x)[4]) {
    constexpr long long of_the_other = 64 * 64 * 4;
    Machine::store_workspace(sums, this->thread_index == warpgroup ? offset + of_the_other : offset, x);
  }
};
static_assert(verified<on_machine<split_product, faulty>>);
