// fault: the place of the largest, where columns are said in tiles
// caught: compile time
// expect: row_argmax(x, {m, n}, columns): columns is a number of tiles along N, and what stands behind it does not count; elements are size<"N">(C)
// expect-clang: refused_because<sectile::rule::say_how_many_columns_there_are
// expect-nvcc: refused_because<sectile::rule::say_how_many_columns_there_are
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto [most, where] = row_argmax(acc, {m, n}, tiles<"N">(C));
    sm.store(C, {m, n}, acc - most);
  }
};
static_assert(verified<kernel>);
