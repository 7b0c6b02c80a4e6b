// expect: no match for 'operator*' in 'acc * (& sm)
#include "kernel.hpp"

struct kernel : shapes {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(A.tiles(1))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto x = sm.accumulator(C);
    x += acc * sm.load(B, {n, 0});
    sm.store(C, {m, n}, x);
  }
};
static_assert(st::verified<kernel>);
