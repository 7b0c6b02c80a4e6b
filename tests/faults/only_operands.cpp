// fault: a struct that declares operands and nothing else
// caught: compile time
// expect: a program declares how it runs: static constexpr sectile::configuration how{.tile = {{"M", 128}, ..}}, or configurations(..) of several
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = product::operands;
};
static_assert(verified<kernel>);
