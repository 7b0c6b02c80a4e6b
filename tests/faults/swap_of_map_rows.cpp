// fault: a configuration that swaps, of a program with map_rows()
// caught: compile time
// expect: .swap = true with map_rows(): registers hold the transpose
// expect-clang: refused_because<sectile::rule::configuration_does_not_fit_the_program>
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 16}, {"N", 128}, {"K", 64}}, .stages = 2, .consumers = 2, .swap = true};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * map_rows([](auto& machine, float a) { return machine.add(a, a); }, row_max(acc)));
  }
};
static_assert(verified<kernel>);
