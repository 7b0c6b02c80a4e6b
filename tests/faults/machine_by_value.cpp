// fault: a body that takes its machine by value, so that nothing it does is seen
// caught: compile time
// expect: body() takes its machine by value or const, so that nothing it does is seen: static constexpr void body(auto& sm, auto A, ..)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto sm, auto A, auto B, auto C) { product::body(sm, A, B, C); }
};
static_assert(verified<kernel>);
