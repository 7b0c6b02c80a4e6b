// fault: a body that takes fewer arguments than there are operands
// caught: compile time
// expect: body() must take sm and an argument for each of the 3 operands
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto C) { product::body(sm, A, A, C); }
};
static_assert(verified<kernel>);
