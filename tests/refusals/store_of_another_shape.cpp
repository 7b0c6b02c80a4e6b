// expect: must have the shape of the output
#include "product.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto square = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(A, {m, 0})));
    sm.store(C, {m, n}, square);
  }
};
static_assert(verified<kernel>);
