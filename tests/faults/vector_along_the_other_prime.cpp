// fault: means of X's rows are loaded for the columns of C(M,M') = X X^T, without a declaration that says so
// caught: compile time
// expect: the numbers of mean go along M, as it is declared, but coordinate 0 counts along M': declare it a second time for that mode, in the same memory; where M is meant: as<"M">(x)
// expect-clang: coordinate_is_along_another_mode
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"X(M,K)", bf16>(), input<"mean(M)", float>(), output<"C(M,M')", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}}, .stages = 4};

  static constexpr void body(auto& sm, auto X, auto mean, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {m, k}) * transpose(sm.load(X, {n, k}));
    sm.store(C, {m, n}, acc - sm.load(mean, {n}));
  }
};
static_assert(verified<kernel>);
