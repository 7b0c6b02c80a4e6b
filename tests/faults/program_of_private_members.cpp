// fault: a program that is a class, whose members are private
// caught: compile time
// expect: a program declares its operands: static constexpr auto operands = sectile::operands(..), as a public member
#include "fault.hpp"

class kernel {
  static constexpr auto operands = product::operands;
  static constexpr sectile::configuration how = product::how;
  static constexpr void body(auto& sm, auto A, auto B, auto C) { product::body(sm, A, B, C); }
};
static_assert(verified<kernel>);
