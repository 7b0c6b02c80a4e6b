// fault: a running place of the largest that takes the zeros behind the last column
// caught: compile time
// expect: row_argmax(x, {m, n}, columns): beyond the edge a tile has zeros; say how many columns the matrix has: size<"N">(C)
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(M)", s32>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m] = sm.rows_of(C);
    auto best = sm.no_elements(C);
    for (auto j : sm.pipelined(tiles<"N">(C))) {
      auto acc = sm.accumulator(C);
      for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {j, k}));
      best = max(best, row_argmax(acc, {m, j}));
      sm.store(C, {m, j}, acc);
    }
    sm.store(v, {m}, best.column);
  }
};
static_assert(verified<kernel>);
