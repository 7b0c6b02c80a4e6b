// fault: a program that does not say how it runs
// caught: compile time
// expect: a program declares how it runs: static constexpr sectile::configuration how{.tile = {{"M", 128}, ..}}, or configurations(..) of several
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = product::operands;
  static constexpr void body(auto& sm, auto A, auto B, auto C) { product::body(sm, A, B, C); }
};
static_assert(verified<kernel>);
