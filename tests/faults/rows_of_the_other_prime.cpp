// fault: sums of the rows of X2(M',K), which go along the columns of C(M,M') and meet its rows
// caught: compile time
// expect: a * b with a fragment of f32, 128 x 128 and a number per row: a is along M x M', b along M'
// expect-clang: refused_because<sectile::rule::values_are_along_other_modes, 128, 128>
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"X(M,K)", bf16>(), input<"X2(M',K)", bf16>(), output<"C(M,M')", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"M'", 128}, {"K", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto X, auto X2, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto y = cast<float>(in_registers(sm.load(X2, {n, 0})));
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {m, k}) * transpose(sm.load(X2, {n, k}));
    sm.store(C, {m, n}, acc * row_sum(y * y).total());
  }
};
static_assert(verified<kernel>);
