// fault: a consumer that runs behind by more products than there are stages
// caught: compile time
// expect: stagger = 3: products by which a consumer runs behind, from 0 to the 2 stages
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .stagger = 3};
};
static_assert(verified<kernel>);
