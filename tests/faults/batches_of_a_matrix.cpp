// fault: batches that are visited together, of a matrix
// caught: compile time
// expect: batches = 8 visited together, but C has 2 modes and no batches; leave it out
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .batches = 8};
};
static_assert(verified<kernel>);
