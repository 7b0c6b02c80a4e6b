// fault: an element and its column, taken for a number
// caught: compile time
// expect: a - b with a fragment of f32, 128 x 64 and an element per row and its column: take one of the two: auto [value, column] = .., or its .value or .column; max() and min() take two of these
// expect-clang: refused_because<sectile::rule::an_element_has_a_value_and_a_column
// expect-nvcc: refused_because<sectile::rule::an_element_has_a_value_and_a_column
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - row_argmax(acc, {m, n}, size<"N">(C)));
  }
};
static_assert(verified<kernel>);
