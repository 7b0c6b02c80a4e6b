// fault: a name that nobody has declared
// caught: compile time
// expect: 'alpha' was not declared in this scope
// expect-clang: use of undeclared identifier 'alpha'
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * alpha);
  }
};
static_assert(verified<kernel>);
