// fault: a configuration that swaps, of a program whose left factor passes through registers
// caught: compile time
// expect: .swap = true with a product whose left factor is in registers: registers hold the transpose
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 128}, {"K", 64}}, .stages = 2, .consumers = 1, .swap = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += in_registers(sm.load(A, {m, k})) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
