// fault: a configuration with two extents for one mode
// caught: compile time
// expect: the configuration's tile has two extents along M: 128 and 64; leave one
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"N", 64}, {"K", 64}, {"M", 64}}, .stages = 2, .consumers = 2};
};
static_assert(verified<kernel>);
