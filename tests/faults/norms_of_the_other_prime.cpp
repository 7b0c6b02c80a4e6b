// fault: a cosine similarity whose norms of columns are summed over rows of the other tile, and meet rows
// caught: compile time
// expect: operand X: a tile at a coordinate along M' comes into registers, where it would be along M and meet what is so; declare X a second time, along M' and in the same memory; where M is meant: as<"M">(x)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,K)", bf16>(), output<"C(M,M')", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"M'", 128}, {"K", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto X, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto x = cast<float>(in_registers(sm.load(X, {m, 0})));
    auto y = cast<float>(in_registers(sm.load(X, {n, 0})));
    auto scale = rsqrt(row_sum(x * x).total()) * rsqrt(row_sum(y * y).total());
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {m, k}) * transpose(sm.load(X, {n, k}));
    sm.store(C, {m, n}, acc * scale);
  }
};
static_assert(verified<kernel>);
