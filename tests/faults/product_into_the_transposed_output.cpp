// fault: a product along M x N in an accumulator along N x M: the tiles are square
// caught: compile time
// expect: acc += a * b: the accumulator is along N x M, the product along M x N; write transpose(b) * transpose(a)
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(N,M)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 128}, {"K", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [n, m] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {n, m}, acc);
  }
};
static_assert(verified<kernel>);
