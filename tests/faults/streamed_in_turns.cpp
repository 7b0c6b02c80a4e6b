// fault: tiles that are cut for the end, by consumers that make some each
// caught: compile time
// expect: .streamed = true: the consumers of a CTA leave their parts of a tile together; leave out .own_tiles
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}},
                                              .stages = 2,
                                              .consumers = 2,
                                              .own_tiles = true,
                                              .persistent = true,
                                              .streamed = true};
};
static_assert(verified<kernel>);
