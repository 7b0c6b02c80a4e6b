// fault: workspace_bytes() in a body
// caught: compile time
// expect: workspace_bytes() of operand A: it is asked of a launch's tensors, outside of the body: workspace_bytes<K>(tensors ..)
// expect-clang: refused_because<sectile::rule::operand_is_used_in_another_way>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * workspace_bytes(A, B, C));
  }
};
static_assert(verified<kernel>);
