// fault: numbers of columns along K and along N are added
// caught: compile time
// expect: a += b with a number per column and a number per column: columns of a are along K (64), those of b along N (64); a number per column meets the same columns
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A) - 1)) acc += sm.load(A, {m, k + 1}) * transpose(sm.load(B, {n, k + 1}));
    auto sums = col_sum(cast<float>(in_registers(sm.load(A, {m, 0}))));
    sums += col_sum(acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
