// fault: a residual R(N,M) that is added to a sum along M x N: the tiles are square
// caught: compile time
// expect: a + b with a fragment of f32, 128 x 128 and a fragment of f32, 128 x 128: a is along M x N, b along N x M; in registers nothing is transposed: load or sum one of them the other way
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"R(N,M)", bf16>(),
                        output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 128}, {"K", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + cast<float>(in_registers(sm.load(R, {n, m}))));
  }
};
static_assert(verified<kernel>);
