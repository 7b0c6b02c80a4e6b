// fault: arithmetic with the column of the largest
// caught: compile time
// expect: a * b with a fragment of f32, 128 x 64 and an index per row: it is stored to a vector of s32; to compute with it, write cast<float>() of it
// expect-clang: refused_because<sectile::rule::an_index_is_stored_or_cast
// expect-nvcc: refused_because<sectile::rule::an_index_is_stored_or_cast
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * row_argmax(acc, {m, n}, size<"N">(C)).column);
  }
};
static_assert(verified<kernel>);
