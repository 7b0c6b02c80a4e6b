// fault: scattered rows that are stored tile by tile in a loop
// caught: compile time
// expect: operand C is scattered, and stored as a whole row of tiles; take tile_of(C), and store once behind the loops
#include "fault.hpp"

struct kernel : scattered_product {
  static constexpr void body(auto& sm, auto A, auto, auto B, auto C) {
    auto [m] = sm.rows_of(C);
    for (auto n : sm.pipelined(tiles<"N">(C)))
      sm.store(C, {m, n}, sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0}))));
  }
};
static_assert(verified<kernel>);
