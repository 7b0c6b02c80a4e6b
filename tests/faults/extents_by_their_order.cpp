// fault: extents of a tile in the order of the modes, as in other libraries
// caught: compile time
// expect: the configuration's tile has 64 where a mode belongs; an extent is a mode and a number: .tile = {{"M", 64}, ..}
// expect-clang: refused_because<sectile::rule::an_extent_is_a_mode_and_a_number, 64, 64>
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 128}, 64, 64}, .stages = 2, .consumers = 2};
};
static_assert(verified<kernel>);
