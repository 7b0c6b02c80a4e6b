// fault: tiles that are drawn, and cut for the end
// caught: compile time
// expect: .streamed = true and .dynamic = true: which part of a tile a cluster makes follows from its number, so it draws none
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile,
                                              .stages = 2,
                                              .consumers = 2,
                                              .persistent = true,
                                              .dynamic = true,
                                              .streamed = true};
};
static_assert(verified<kernel>);
