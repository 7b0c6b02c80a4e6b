// fault: a body that is refused in one of a family's configurations: of how members sum nothing is asked then
// caught: compile time
// expect: four lanes hold a part of it each; row_sum(x).total() adds them up
#include "fault.hpp"

struct kernel : product {
  static constexpr configuration other{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3, .variant = 1};
  static constexpr auto how = configurations(product::how, other);

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    if constexpr (variant_of<decltype(sm)> == 1)
      sm.store(C, {m, n}, fma(row_sum(acc), 0.5f, acc));
    else
      sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
