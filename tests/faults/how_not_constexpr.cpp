// fault: a program whose how is no constant
// caught: compile time
// expect: how is no constant: static constexpr sectile::configuration how{.tile = {{"M", 128}, ..}}
#include "fault.hpp"

struct kernel : product {
  inline static sectile::configuration how{.tile = product::how.tile, .stages = 2};
};
static_assert(verified<kernel>);
