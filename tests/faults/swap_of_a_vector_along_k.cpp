// fault: a vector along the third mode, where the configuration swaps
// caught: compile time
// expect: v is along K (64), what it meets along M (16) x N (128); a vector goes along one of its modes
// expect-clang: refused_because<sectile::rule::values_are_along_other_modes, 16, 128, 64, 16, 128>
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 16}, {"N", 128}, {"K", 64}}, .stages = 2, .consumers = 2, .swap = true};
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"v(K)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(v, {0}));
  }
};
static_assert(verified<kernel>);
