// fault: a product that is summed in an ordinary number
// caught: compile time
// expect: a += b with a number and a product: a product needs an accumulator: acc += a * b, or sm.accumulator(a * b)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    float sum = 0;
    sum += sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0}));
    sm.store(C, {m, n}, acc * sum);
  }
};
static_assert(verified<kernel>);
