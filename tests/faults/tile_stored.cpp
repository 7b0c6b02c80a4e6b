// fault: storing a tile as it was loaded
// caught: compile time
// expect: store to C: the value is a tile of A; what is stored is a fragment: cast<float>(in_registers(tile))
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, sm.load(A, {m, 0}));
  }
};
static_assert(verified<kernel>);
