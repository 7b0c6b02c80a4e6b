// fault: a kernel without a schedule
// caught: compile time
// expect: a kernel declares its schedule: static constexpr sectile::configuration how{.tile = BASE::how.tile, ..}
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = product::operands;
  static constexpr void body(auto& sm, auto A, auto B, auto C) { product::body(sm, A, B, C); }
};
static_assert(verified<kernel>);
