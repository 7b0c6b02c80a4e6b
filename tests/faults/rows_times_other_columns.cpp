// fault: numbers of rows times numbers of columns of another matrix
// caught: compile time
// expect: a * b with a fragment of f32, 128 x 64 and numbers of rows times numbers of columns: a is along M x N, b along M x M; in registers nothing is transposed: load or sum one of them the other way
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto gram = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(A, {m, k})));
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      acc = acc * (row_sum(acc).total() * col_sum(gram));
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
