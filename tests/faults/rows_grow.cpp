// fault: a fragment added to a number per row in place
// caught: compile time
// expect: a += b with a number per row and a fragment of f32, 128 x 64: the result is larger than a; name it: auto x = a + b
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto top = row_max(acc);
    top += acc;
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
