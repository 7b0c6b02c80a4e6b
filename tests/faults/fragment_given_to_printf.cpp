// fault: printf() of a fragment
// caught: compile time
// expect: a fragment of f32, 128 x 64 cannot be printed: a body is read at compile time and runs on the GPU; store it, and print what was stored
// expect-clang: refused_because<sectile::rule::values_do_not_combine, 128, 64>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    printf("%f\n", acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
