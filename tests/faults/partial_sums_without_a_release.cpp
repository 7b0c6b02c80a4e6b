// fault: partial sums that are handed over by an arrival of the CTA alone
// caught: compile time
// expect: passes partial sums without release and acquire of the cluster
#include "fault.hpp"

struct split_product : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
};
template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_arrive_release(std::uint32_t barrier, int cta) { Machine::mbarrier_arrive_at(barrier, cta); }
};
static_assert(verified<on_machine<split_product, faulty>>);
