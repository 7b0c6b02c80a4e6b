// fault: a power of two numbers is asked of exp()
// caught: compile time
// expect: exp(a) with 2 arguments: it takes one value; what hangs on more numbers is map(x, y, f)
// expect-clang: refused_because<sectile::rule::values_do_not_combine
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc = exp(acc, 2);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
