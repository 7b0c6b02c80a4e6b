// fault: a product of X and its own transpose, whose rows and columns are both along M, meets a vector along M
// caught: compile time
// expect: a - b with a fragment of f32, 128 x 128 and a part of mean: mean is along M (128), what it meets along M (128) x M (128), rows as well as columns; an accumulator(C) of an output C(M,M') tells the two apart
// expect-clang: values_are_along_other_modes
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"X(M,K)", bf16>(), input<"mean(M)", float>(), output<"C(M,M')", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}}, .stages = 4};

  static constexpr void body(auto& sm, auto X, auto mean, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(sm.load(X, {m, 0}) * transpose(sm.load(X, {n, 0})));
    sm.store(C, {m, n}, acc - sm.load(mean, {m}));
  }
};
static_assert(verified<kernel>);
