// fault: a transposed operand of an 8-bit type, int8: wgmma reads it only with K contiguous
// caught: compile time
// expect: operand B: s8 operands must have K contiguous in memory, wgmma reads only 16-bit types the other way; declare it col_major, or swap its modes
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", s8>(), input<"B(K,N)", s8>(), output<"C(M,N)", s32>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 128}, {"N", 64}});
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * sm.load(B, {k, n});
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
