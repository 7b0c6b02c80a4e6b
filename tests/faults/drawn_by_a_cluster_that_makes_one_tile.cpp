// fault: a cluster that draws its next tile, and makes only one
// caught: compile time
// expect: .dynamic = true: a cluster draws its next tile when it is done with one, so it must walk over several: add .persistent = true
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .dynamic = true};
};
static_assert(verified<kernel>);
