// expect: cannot convert '<brace-enclosed initializer list>' to 'const sectile::tile_coordinates<2>&'
#include "kernel.hpp"

struct kernel : shapes {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(A.tiles(1))) acc += sm.load(A, {0, m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(st::verified<kernel>);
