// fault: a matrix times its own transpose, with different extents for M and M'
// caught: compile time
// expect: the configuration's tile has 64 elements along M' and 128 along M, the same mode a second time; leave one
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), output<"C(M,M')", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"M'", 64}, {"K", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(A, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
