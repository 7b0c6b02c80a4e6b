// fault: a store that is asked of the fragment, not of sm
// caught: compile time
// expect: a fragment of f32, 128 x 64 loads and stores nothing by itself, the body's first argument does: sm.load(A, {m, k}), sm.store(C, {m, n}, x)
// expect-clang: refused_because<sectile::rule::body_is_written_in_another_way, 128, 64>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc.store(C, {m, n});
  }
};
static_assert(verified<kernel>);
