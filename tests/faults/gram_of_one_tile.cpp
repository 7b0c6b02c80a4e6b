// fault: a Gram matrix whose factors are both loaded at the row's coordinate
// caught: compile time
// expect: acc += a * b: the accumulator is along M' where the product has a tile of X at a coordinate along M; are the factors, or their coordinates, in another order? Where M' is meant: as<"M'">(x)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,K)", bf16>(), output<"C(M,M')", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"M'", 128}, {"K", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto X, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {m, k}) * transpose(sm.load(X, {m, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
