// fault: tiles that are cut for the end, whose sums begin with a bias that every part would add
// caught: compile time
// expect: .streamed = true divides the trips of loops, but sums begin with something, which each part would add
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"bias(N)", float>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .persistent = true, .streamed = true};

  static constexpr void body(auto& sm, auto A, auto B, auto bias, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    acc += sm.load(bias, {n});
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
