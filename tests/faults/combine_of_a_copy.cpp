// fault: sums that are combined by a copy of the machine, which a lambda with [=] has
// caught: compile time
// expect: sm.combine(sums, ..) of a copy of sm, as a lambda with [=] has, or of a const sm: nothing it does is seen
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), output<"sums(N)", float>());
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto sums) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto add = [=, at = n](const auto& x) { sm.combine(sums, {at}, x, reduction::add); };
    add(acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
