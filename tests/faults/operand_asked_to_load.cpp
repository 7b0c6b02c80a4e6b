// fault: a load that is asked of the operand, not of sm
// caught: compile time
// expect: operand A loads and stores nothing by itself, the body's first argument does: sm.load(A, {m, k}), sm.store(C, {m, n}, x)
// expect-clang: refused_because<sectile::rule::body_is_written_in_another_way>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += A.load({m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
