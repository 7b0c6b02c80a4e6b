// fault: a split of a loop whose trips read the scales of the one before
// caught: compile time
// expect: split = 2 divides the trips of loops, but a trip overwrites rows, columns or a part of a vector from before it
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     vector_input<"S(KB,M)", float>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto S, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    auto scale = in_registers(sm.load(S, {0, m}));
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto p = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum += p * scale;
      scale = in_registers(sm.load(S, {as<"KB">(k + 1), m}));
    }
    sm.store(C, {m, n}, sum);
  }
};
static_assert(verified<kernel>);
