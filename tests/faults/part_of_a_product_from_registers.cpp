// fault: a product in parts whose left factor is in registers
// caught: compile time
// expect: in_parts(a * b) adds f32 to f32, of two tiles that sm.load() brings
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto a = in_registers(sm.load(A, {m, k}));
      auto part = sm.in_parts(a * transpose(sm.load(B, {n, k})));
      acc = fma(part, 2.0f, acc);
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
