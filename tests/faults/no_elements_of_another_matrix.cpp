// fault: a search for the nearest row that begins with the rows of the other matrix
// caught: compile time
// expect: no_elements(C): its rows are along N, which is no mode of X, whose tiles are the work; an element for each row of these begins with no_elements(X)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"X(M,K)", bf16>(), input<"C(N,K)", bf16>(), output<"who(M)", s32>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 128}, {"K", 64}}, .stages = 4, .consumers = 2};

  static constexpr void body(auto& sm, auto X, auto C, auto who) {
    auto [m] = sm.rows_of(X);
    auto best = sm.no_elements(C);
    for (auto j : sm.pipelined(tiles<"N">(C))) {
      auto acc = sm.accumulator(sm.load(X, {m, 0}) * transpose(sm.load(C, {j, 0})));
      best = min(best, row_argmin(-acc, {m, j}, size<"N">(C)));
    }
    sm.store(who, {m}, best.column);
  }
};
static_assert(verified<kernel>);
