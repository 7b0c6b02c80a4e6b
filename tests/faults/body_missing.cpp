// fault: a program that says what it works on and how it runs, but not what it does
// caught: compile time
// expect: body() must take sm and an argument for each of the 3 operands: static constexpr void body(auto& sm, auto A, ..)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = product::operands;
  static constexpr sectile::configuration how = product::how;
};
static_assert(verified<kernel>);
