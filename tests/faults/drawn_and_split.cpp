// fault: tiles that are drawn and split
// caught: compile time
// expect: split = 4 and .dynamic = true: the parts of a tile meet when its loops are over
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile,
                                              .stages = 2,
                                              .consumers = 2,
                                              .persistent = true,
                                              .dynamic = true,
                                              .split = 4};
};
static_assert(verified<kernel>);
