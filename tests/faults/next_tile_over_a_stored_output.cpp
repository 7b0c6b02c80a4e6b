// fault: a second output whose panels are written again while TMA still stores those of the tile before
// caught: compile time
// expect: an epilogue buffer is written while TMA may still read it
#include "fault.hpp"

struct kernel : kept_product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .persistent = true};
};
static_assert(verified<kernel>);

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <int N>
  constexpr void bulk_wait_read() {
    Machine::template bulk_wait_read<N + 1>();
  }
};
static_assert(verified<on_machine<kernel, faulty>>);
