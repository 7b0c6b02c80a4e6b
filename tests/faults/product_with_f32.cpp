// fault: an accumulator multiplied by a tile of f32, to which it cannot be cast either
// caught: compile time
// expect: a * b with a fragment of f32, 128 x 64 and a tile of B: no product takes f32: declare B as bf16 or tf32; element by element: a * in_registers(b)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", float>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc += acc * sm.load(B, {n, 0});
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
