// fault: numbers of the columns of A, which are along K, meet sums whose columns are along N
// caught: compile time
// expect: a * b with a fragment of f32, 128 x 64 and a number per column: columns of a are along N (64), those of b along K (64); a number per column meets the same columns
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A) - 1)) acc += sm.load(A, {m, k + 1}) * transpose(sm.load(B, {n, k + 1}));
    auto sums = col_sum(cast<float>(in_registers(sm.load(A, {m, 0}))));
    acc = acc * sums;
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
