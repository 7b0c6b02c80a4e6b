// fault: CTAs of a cluster make tiles side by side, and their trips store what all of them have
// caught: compile time
// expect: a cluster of 1 x 2 CTAs, but trip_output P has no N, along which 2 of them would store the same tiles
#include "fault.hpp"

struct kernel : product_of_a_kept_factor {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .cluster = {1, 2}, .consumers = 2};
};
static_assert(verified<kernel>);
