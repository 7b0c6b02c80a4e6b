// fault: the row of the largest in each column, by name
// caught: compile time
// expect: there is no col_argmax(x) of a fragment of f32, 128 x 64; write the product the other way round, b * transpose(a), and row_argmax() of its rows
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - col_argmax(acc, {m, n}, size<"M">(C)).value);
  }
};
static_assert(verified<kernel>);
