// fault: sums along M x N that are multiplied by a tile whose rows are along another mode
// caught: compile time
// expect: a * b: the columns of a are along N, the rows of b along K; is a transpose() missing? What is summed over has one name
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,K)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, k] = sm.tile_of(C);
    auto scores = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {0, 0})));
    auto acc = sm.accumulator(C);
    acc += cast<bf16>(scores) * transpose(sm.load(B, {0, k}));
    sm.store(C, {m, k}, acc);
  }
};
static_assert(verified<kernel>);
