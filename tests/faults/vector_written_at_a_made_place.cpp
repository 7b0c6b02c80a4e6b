// fault: A vector that is written beside its own part, in one row of tiles that is far from the first
// caught: compile time
// expect: operand r is written at a number along M that is made of the work's coordinates, and may be another tile's; write at the coordinates of tile_of(C)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(K,N)", bf16>(),
                                                     output<"C(M,N)", bf16>(), vector_output<"r(M)", float>());
  static constexpr sectile::configuration how = product::how;

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto r) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * sm.load(B, {k, n});
    sm.combine(r, {select(m == 4711, m + 1, m)}, row_max(acc), sectile::reduction::max);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
