// fault: 8-bit elements that are to be transposed on their way into registers
// caught: compile time
// expect: operand A: e4m3 operands must have K contiguous in memory, in_registers() can turn only 16-bit elements; declare it row_major, or swap its modes
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", e4m3>(col_major), input<"B(N,K)", e4m3>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += in_registers(sm.load(A, {m, k})) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
