// fault: a tile of a matrix that is named by one coordinate
// caught: compile time
// expect: a tile of A is named by 2 coordinates, one for each mode; 1 is given
// expect-clang: refused_because<sectile::rule::operand_is_used_in_another_way, 2, 1>
// expect-nvcc: refused_because<sectile::rule::operand_is_used_in_another_way, 2LL, 1LL>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
