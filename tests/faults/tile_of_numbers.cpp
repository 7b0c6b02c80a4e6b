// fault: a tile made of numbers by a function
// caught: compile time
// expect: the configuration's tile has 128 where a mode belongs; an extent is a mode and a number: .tile = {{"M", 128}, ..}
// expect-clang: refused_because<sectile::rule::an_extent_is_a_mode_and_a_number, 128, 128>
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = tile(128), .stages = 2, .consumers = 2};
};
static_assert(verified<kernel>);
