// fault: a number per row that becomes an element and its column
// caught: compile time
// expect: a number per row is set to an element per row and its column: take one of the two: auto [value, column] = .., or its .value or .column
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto top = row_max(acc);
    top = row_argmax(acc, {m, n}, size<"N">(C));
    sm.store(C, {m, n}, acc - top);
  }
};
static_assert(verified<kernel>);
