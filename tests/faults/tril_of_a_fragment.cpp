// fault: a triangle by name
// caught: compile time
// expect: there is no tril(x) of a fragment of f32, 128 x 64; write mask(x, {m, n}, [=](int row, int col) { return col <= row; }, 0.0f)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, tril(acc));
  }
};
static_assert(verified<kernel>);
