// fault: a program whose how is no configuration
// caught: compile time
// expect: how is no configuration: static constexpr sectile::configuration how{.tile = {{"M", 128}, ..}}, or configurations(..) of several
#include "fault.hpp"

struct kernel : product {
  static constexpr auto how = product::how.tile;
};
static_assert(verified<kernel>);
