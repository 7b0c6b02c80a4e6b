// fault: a kernel without a product
// caught: compile time
// expect: the body has no product
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
