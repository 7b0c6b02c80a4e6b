// fault: a transposed operand of an 8-bit type, int8: wgmma reads it only with K contiguous
// caught: compile time
// expect: operand B: s8 operands must have K contiguous in memory, wgmma reads only 16-bit types the other way; declare it col_major, or swap its modes
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", s8>(row_major, tile(128, 128)), input<"B(K,N)", s8>(row_major, tile(128, 64)),
                        output<"C(M,N)", s32>(row_major, tile(128, 64)));
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(A.tiles(1))) acc += sm.load(A, {m, k}) * sm.load(B, {k, n});
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
