// expect: the body never stores its output
#include "kernel.hpp"

struct kernel : shapes {
  static constexpr void body(auto sm, auto A, auto B, auto C) { right::body(sm, A, B, C); }
};
static_assert(st::verified<kernel>);
