// fault: an output whose batches are counted between its rows and its columns
// caught: compile time
// expect: operand C: B counts batches of A, and a tile has one of these: it is no mode of rows or columns; declare C(B,M,N), which lies in memory as the strides of the launch's tensor say
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(B,M,K)", bf16>(), input<"W(N,K)", bf16>(), output<"C(M,B,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 128}, {"K", 64}}, .stages = 4, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto W, auto C) {
    auto [m, b, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {b, m, k}) * transpose(sm.load(W, {n, k}));
    sm.store(C, {m, b, n}, acc);
  }
};
static_assert(verified<kernel>);
