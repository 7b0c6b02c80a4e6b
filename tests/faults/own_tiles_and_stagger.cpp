// fault: consumers with tiles of their own, and a stagger
// caught: compile time
// expect: own_tiles and a stagger both order the consumers; choose one
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}},
                                              .stages = 2,
                                              .consumers = 2,
                                              .own_tiles = true,
                                              .persistent = true,
                                              .stagger = 1};
};
static_assert(verified<kernel>);
