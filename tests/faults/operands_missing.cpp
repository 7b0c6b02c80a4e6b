// fault: a kernel without operands
// caught: compile time
// expect: a program declares its operands: static constexpr auto operands = sectile::operands(..)
#include "fault.hpp"

struct kernel {
  static constexpr sectile::configuration how{.tile = product::how.tile};
};
static_assert(verified<kernel>);
