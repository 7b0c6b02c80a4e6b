// fault: a factor that was not loaded
// reported: cutlass#2332
// caught: compile time
// expect: a * b with operand A and a tile of B: load a tile first: sm.load(A, {..})
// expect-clang: refused_because<sectile::rule::a_tile_must_be_loaded_first>
// expect-nvcc: refused_because<sectile::rule::a_tile_must_be_loaded_first>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += A * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
