// fault: partial sums that are read where the other consumer left its own
// caught: compile time
// expect: reads partial sums of consumer 1 of CTA 1
#include "fault.hpp"

struct split_product : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
};
template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void load_shared_at(std::uint32_t (&r)[4], std::uint32_t from, int cta) {
    const auto of_the_other = static_cast<std::uint32_t>(64 * 64 * 4);
    Machine::load_shared_at(r, this->thread_index == warpgroup ? from + of_the_other : from, cta);
  }
};
static_assert(verified<on_machine<split_product, faulty>>);
