// fault: tiles of groups, of which each CTA takes one
// caught: compile time
// expect: Y(E,T,N) has tiles of groups, whose number is in device memory, so that CTAs walk over what there is: add .persistent = true
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr sectile::configuration how{.tile = grouped_product::how.tile, .stages = 2, .consumers = 2};
};
static_assert(verified<kernel>);
