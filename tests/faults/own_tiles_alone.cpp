// fault: tiles of its own for a single consumer
// caught: compile time
// expect: own_tiles needs at least 2 consumers that make tiles by turns, not 1
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1, .own_tiles = true, .persistent = true};
};
static_assert(verified<kernel>);
