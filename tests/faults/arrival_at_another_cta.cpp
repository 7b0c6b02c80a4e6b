// fault: an arrival at a CTA that is not in the cluster
// reported: tilelang#972
// caught: compile time
// expect: of a cluster of 2
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_arrive_at(std::uint32_t barrier, int cta) { Machine::mbarrier_arrive_at(barrier, cta + 1); }
};
static_assert(verified<on_machine<shared_product, faulty>>);
