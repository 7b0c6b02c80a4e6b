// fault: a mask at the place of the transposed fragment
// caught: compile time
// expect: x at {row, col}: x is along M x N, its place along N x M; name the place in x's order; where another mode is meant: as<"M">(m)
// expect-clang: refused_because<sectile::rule::coordinate_is_along_another_mode>
// expect-nvcc: refused_because<sectile::rule::coordinate_is_along_another_mode>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    mask(acc, {n, m}, true, [](int r, int c) { return c <= r; }, 0.0f);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
