// fault: tiles of their own for the consumers of a CTA that makes one
// caught: compile time
// expect: so it must walk over several: add .persistent = true
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 2, .own_tiles = true};
};
static_assert(verified<kernel>);
