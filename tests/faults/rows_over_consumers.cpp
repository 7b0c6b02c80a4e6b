// fault: tile rows that do not split over the consumers
// reported: tilelang#2522
// caught: compile time
// expect: for each of 3 consumers; use 192 or another number of consumers
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 3};
};
static_assert(verified<kernel>);
