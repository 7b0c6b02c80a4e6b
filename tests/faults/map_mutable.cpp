// fault: a function that counts its calls, in each thread for itself
// caught: compile time
// expect: map(x, f): the function changes when it is called (mutable), but elements are asked for in no order; write [](float a) { return ..; }
// expect-clang: refused_because<sectile::rule::function_must_not_be_mutable>
// expect-nvcc: refused_because<sectile::rule::function_must_not_be_mutable>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, map(acc, [calls = 0](float x) mutable { return x + calls++; }));
  }
};
static_assert(verified<kernel>);
