// fault: consumers that make their tiles at the same time, and by turns
// caught: compile time
// expect: .abreast = true and .own_tiles: 2 consumers make a tile each at the same time; leave out one of the two
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}},
                                              .stages = 2,
                                              .consumers = 2,
                                              .own_tiles = true,
                                              .abreast = true,
                                              .persistent = true};
};
static_assert(verified<kernel>);
