// fault: numbers of rows set to a fragment, where the configuration swaps
// caught: compile time
// expect: a number per row is set to a fragment of f32, 16 x 128: only another of the same rows can be assigned
// expect-clang: refused_because<sectile::rule::values_do_not_combine, 16, 128>
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 16}, {"N", 128}, {"K", 64}}, .stages = 2, .consumers = 2, .swap = true};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto most = row_max(acc);
    most = acc;
    sm.store(C, {m, n}, acc * most);
  }
};
static_assert(verified<kernel>);
