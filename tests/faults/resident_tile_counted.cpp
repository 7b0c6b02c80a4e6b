// fault: a tile that seems to be the same for all work is chosen by a number that the body counts itself
// caught: compile time
// expect: operand R: one run loads tile 2 along M, another one tile
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                        input<"R(M,N)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3, .persistent = true};

  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    int trips = 0;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      ++trips;
    }
    sm.store(C, {m, n}, acc + cast<float>(in_registers(sm.load(R, {trips, 0}))));
  }
};
static_assert(verified<kernel>);
