// fault: tiles that are cut for the end of a walk, by clusters that make one
// caught: compile time
// expect: .streamed = true: a cluster makes whole tiles, and then its part of those that are left, so it must walk over several: add .persistent = true
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .streamed = true};
};
static_assert(verified<kernel>);
