// fault: sums in a type that no element has
// caught: compile time
// expect: accumulator(C, as<T>()): no sum is a T; tensor cores sum in float, in f16 or in s32
// expect-clang: refused_because<sectile::rule::values_do_not_combine
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<double>());
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
