// fault: a load in a lambda that has a copy of the machine
// caught: compile time
// expect: sm.load(A, ..) of a copy of sm, as a lambda with [=] has, or of a const sm: nothing it does is seen; capture by reference, [&]
// expect-clang: refused_because<sectile::rule::body_is_written_in_another_way>
// clang-lines: 19
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    const auto row = m;
    const auto part = [=](auto k) { return sm.load(A, {row, k}); };
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += part(k) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
