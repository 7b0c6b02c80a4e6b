// fault: a running place of the largest that takes the zeros behind the last column
// caught: compile time
// expect: row_argmax(x, {m, n}, columns): beyond the edge a tile has zeros; say how many columns the matrix has: size<"N">(C)
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(M)", s32>());

  static constexpr void body(auto& sm, auto A, auto B, auto v) {
    auto [m] = sm.rows_of(A);
    const auto row = m;
    const auto best_of = [&](auto j) {
      return row_argmax(sm.accumulator(sm.load(A, {row, 0}) * transpose(sm.load(B, {j, 0}))), {row, j});
    };
    auto best = best_of(0);
    for (auto j : sm.pipelined(tiles<"N">(B) - 1)) best = max(best, best_of(j + 1));
    sm.store(v, {m}, best.column);
  }
};
static_assert(verified<kernel>);
