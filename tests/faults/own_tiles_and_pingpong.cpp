// fault: consumers with tiles of their own that take turns at one tile
// caught: compile time
// expect: own_tiles and ping-pong both order the consumers; choose one
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}},
                                              .stages = 2,
                                              .consumers = 2,
                                              .own_tiles = true,
                                              .persistent = true,
                                              .pingpong = true};
};
static_assert(verified<kernel>);
