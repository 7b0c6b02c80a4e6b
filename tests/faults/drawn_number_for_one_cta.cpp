// fault: the number of a cluster's next tile, which only one of its CTAs is told
// caught: compile time
// expect: waits forever until its cluster has read the number of a work item: of 5 readers 2 say so
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void store_shared_async(std::uint32_t to, std::uint32_t x, std::uint32_t barrier, int cta) {
    if (cta == 0) Machine::store_shared_async(to, x, barrier, cta);
  }
};
static_assert(verified<on_machine<drawn_product, faulty>>);
