// fault: A kernel that stores without having loaded anything
// caught: compile time
// expect: operand A is an input that the body never loads; load it, or take it out of the operands
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
