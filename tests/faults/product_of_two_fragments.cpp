// fault: a product of two matrices that were both computed in registers
// caught: compile time
// expect: a * b with a fragment of bf16, 128 x 64 and a fragment of bf16, 64 x 64: the right factor must be a tile in shared memory, as sm.load() gives it; in registers only the left one can be
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = 2.0f * cast<float>(in_registers(sm.load(A, {m, k})));
      auto b = 2.0f * cast<float>(in_registers(transpose(sm.load(B, {n, k}))));
      acc += cast<bf16>(a) * cast<bf16>(b);
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
