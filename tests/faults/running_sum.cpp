// fault: a running sum along each row
// caught: compile time
// expect: there is no cumsum(x) of a fragment of f32, 128 x 64; write a product with a triangular matrix of ones: a row's elements are spread over threads
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, cumsum(acc));
  }
};
static_assert(verified<kernel>);
