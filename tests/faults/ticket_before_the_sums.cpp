// fault: a ticket that hands sums over before all consumers have left theirs
// caught: compile time
// expect: a ticket of the tile is taken before consumer 0 is known to have left its sums in the workspace
#include "fault.hpp"

struct split_product : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 12};
};
template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void named_barrier_sync(int id, int threads) {
    if (threads == warpgroup) Machine::named_barrier_sync(id, threads);
  }
  constexpr bool named_barrier_any(int id, int threads, bool yes) {
    Machine::named_barrier_sync(id, threads);
    return yes || this->comes_last;
  }
};
static_assert(verified<on_machine<split_product, faulty>>);
