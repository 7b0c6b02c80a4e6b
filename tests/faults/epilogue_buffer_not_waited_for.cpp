// fault: an epilogue buffer that is written again while TMA still reads it
// caught: compile time
// expect: an epilogue buffer is written while TMA may still read it
#include "fault.hpp"

struct narrow_epilogue : product {
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 256}}, .stages = 4, .consumers = 2};
};
static_assert(verified<narrow_epilogue>);

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <int N>
  constexpr void bulk_wait_read() {}
};
static_assert(verified<on_machine<narrow_epilogue, faulty>>);
