// fault: partial sums that are written where the other consumer still reads its tile
// caught: compile time
// expect: becomes partial sums while a consumer may still read it
#include "fault.hpp"

struct split_product : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
};
template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void named_barrier_sync(int id, int threads) {
    if (threads <= warpgroup) Machine::named_barrier_sync(id, threads);
  }
};
static_assert(verified<on_machine<split_product, faulty>>);
