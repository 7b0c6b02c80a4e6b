// fault: row_max() of a constant
// caught: compile time
// expect: row_max(a) with a number: it takes a fragment of f32, whose rows have many numbers
// expect-clang: refused_because<sectile::rule::values_do_not_combine>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + row_max(3));
  }
};
static_assert(verified<kernel>);
