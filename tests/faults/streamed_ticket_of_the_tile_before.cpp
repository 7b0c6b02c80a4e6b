// fault: a ticket of the second tile that a cluster cuts, taken before its consumers have left their sums
// caught: compile time
// expect: a ticket of the tile is taken before consumer 0 is known to have left its sums in the workspace
#include "fault.hpp"

struct streamed_product : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .persistent = true, .streamed = true};
};
template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  int met = 0;
  /// The consumers meet behind the sums of the first tile only.
  constexpr void named_barrier_sync(int id, int threads) {
    if (threads == warpgroup || met++ == 0) Machine::named_barrier_sync(id, threads);
  }
  constexpr bool named_barrier_any(int id, int threads, bool) {
    Machine::named_barrier_sync(id, threads);
    return this->comes_last;
  }
};
static_assert(verified<on_machine<streamed_product, faulty>>);
