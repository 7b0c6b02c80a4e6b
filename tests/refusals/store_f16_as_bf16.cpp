// expect: store: a value of type Value cannot become an output of type Output
#include "product.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(A.tiles(1))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, cast<f16>(acc));
  }
};
static_assert(verified<kernel>);
