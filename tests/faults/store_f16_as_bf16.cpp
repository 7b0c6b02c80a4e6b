// fault: storing a type that the output does not have
// caught: compile time
// expect: store to C: a value of f16 cannot become an output of bf16; store an accumulator of f32, or declare C as f16
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, cast<f16>(acc));
  }
};
static_assert(verified<kernel>);
