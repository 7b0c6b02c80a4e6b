// fault: a product along M x M is set to one along M x M', which is of the same shape
// caught: compile time
// expect: a fragment of f32, 128 x 128 is set to a fragment of f32, 128 x 128: it is along M x M', what it is set to along M x M; name the value: auto x = ..
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,K)", bf16>(), output<"C(M,M')", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"M'", 128}, {"K", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto X, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    acc = sm.accumulator(sm.load(X, {m, 0}) * transpose(sm.load(X, {n, 0})));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
