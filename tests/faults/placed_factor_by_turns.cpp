// fault: a configuration that swaps, of consumers that take turns and have a left factor in registers
// caught: compile time
// expect: .pingpong with .swap = true and a left factor in registers: the 2 consumers that share a tile write it to shared memory together, and cannot take turns; leave out .pingpong
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(T,K)", bf16>(),
                                                     input<"D(T,N)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 16}, {"N", 128}, {"K", 64}, {"T", 128}},
                                              .stages = 3,
                                              .consumers = 2,
                                              .pingpong = true,
                                              .swap = true};
  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto a = sm.load(A, {m, 0});
    auto acc = sm.accumulator(C);
    for (auto t : sm.pipelined(tiles<"T">(B))) {
      auto s = sm.accumulator(a * transpose(sm.load(B, {t, 0})));
      acc += cast<bf16>(s) * sm.load(D, {t, n});
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
