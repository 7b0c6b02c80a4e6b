// fault: numbers of one 8-bit type that are cast to another
// caught: compile time
// expect: cast to e4m3 of a fragment of s8, 128 x 64: s8 becomes f32, bf16 or f16: cast<float>() first
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"W(M,K)", s8>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto W, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(W))) acc += cast<e4m3>(in_registers(sm.load(W, {m, k}))) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
