// fault: parts that are kept apart, of tiles that have none
// caught: compile time
// expect: apart = true, of parts that a tile does not have: split = 1; say how many, or leave out .apart
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .apart = true};
};
static_assert(verified<kernel>);
