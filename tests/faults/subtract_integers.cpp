// fault: subtracting an integer product, which wgmma cannot
// caught: compile time
// expect: wgmma of s8 x s8 cannot negate an operand; only floating-point types can be subtracted
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", s8>(), input<"B(N,K)", s8>(), output<"C(M,N)", s32>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 128}, {"N", 64}});

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc -= sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
