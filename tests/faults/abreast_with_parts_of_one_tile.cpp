// fault: clusters that leave parts of a tile, by consumers that make a tile each
// caught: compile time
// expect: .abreast = true and .streamed: 2 consumers make a tile each at the same time; leave out one of the two
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}},
                                              .stages = 2,
                                              .consumers = 2,
                                              .abreast = true,
                                              .persistent = true,
                                              .streamed = true};
};
static_assert(verified<kernel>);
