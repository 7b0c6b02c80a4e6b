// fault: members of a family that reduce columns with different numbers of consumers
// caught: compile time
// expect: configurations 0 and 1 sum in different orders: a row's bits would depend on which one a launch picks. Give them one number of consumers, or say
#include "fault.hpp"

struct kernel : product {
  static constexpr configuration one{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1},
      two{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 2};
  static constexpr auto how = configurations(one, two);
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - col_max(acc) + col_sum(acc));
  }
};
static_assert(verified<kernel>);
