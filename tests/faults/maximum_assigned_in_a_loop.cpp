// fault: a trip's largest numbers in the place of those of all trips
// caught: compile time
// expect: x = y: what a trip of a loop has left in x is lost, and nothing has used it; x += y adds
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), output<"most(M)", float>());
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto most) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    auto largest = row_sum(acc).total();
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto product = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      acc += product;
      largest = row_max(product);
    }
    sm.store(most, {m}, largest);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
