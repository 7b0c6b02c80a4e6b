// fault: a configuration that swaps, with more rows than registers of an instruction
// caught: compile time
// expect: an instruction of 256 rows needs 154 registers per thread, the kernel is launched with 128; use tiles of fewer rows, or fewer consumers
// expect-clang: refused_because<sectile::rule::accumulators_do_not_fit_in_registers, 256, 154, 128>
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 256}, {"N", 192}, {"K", 64}}, .stages = 2, .consumers = 3, .swap = true};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
