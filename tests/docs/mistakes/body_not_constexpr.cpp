// expect: call to non-'constexpr' function 'static void kernel::body
#include "kernel.hpp"

struct kernel : shapes {
  static void body(auto& sm, auto A, auto B, auto C) { right::body(sm, A, B, C); }
};
static_assert(st::verified<kernel>);
