// fault: a ternary operator that is to choose element by element
// caught: compile time
// expect: a fragment of f32, 128 x 64 is no number: every thread holds some of its elements; a function of each is map(x, [](float a) { return ..; })
// expect-clang: refused_because<sectile::rule::a_fragment_is_no_number_use_map, 128, 64>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc = acc > 0.0f ? acc : 0.0f;
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
