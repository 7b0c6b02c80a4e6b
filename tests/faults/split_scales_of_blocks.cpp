// fault: a split of a loop that reads a vector in each trip
// caught: compile time
// expect: split = 2 divides the trips of loops, but a vector is read in a loop
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     vector_input<"S(KB,M)", float>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto S, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto p = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      acc += p * sm.load(S, {as<"KB">(k), m});
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
