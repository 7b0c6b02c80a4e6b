// fault: a residual of 16 bits with 40 columns, of which registers take 16 at a time
// caught: compile time
// expect: operand R: a tile of 64 x 40 (K-major, 16-byte swizzle) cannot be read by instructions of 64 x 16: 40 against 16; use 48 along N
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"R(M,N)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 40}, {"K", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(R, {m, n}));
  }
};
static_assert(verified<kernel>);
