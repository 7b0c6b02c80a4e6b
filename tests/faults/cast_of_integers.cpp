// fault: a cast that does not exist
// caught: compile time
// expect: cast to bf16 of a fragment of s32, 128 x 64: s32 becomes f32 and nothing else: cast<float>() first
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    auto count = sm.accumulator(C, as<s32>());
    auto packed = cast<bf16>(count);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
