// fault: a kernel without a schedule
// caught: compile time
// expect: a kernel declares its schedule: static constexpr sectile::schedule schedule{..}
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = product::operands;
  static constexpr void body(auto& sm, auto A, auto B, auto C) { product::body(sm, A, B, C); }
};
static_assert(verified<kernel>);
