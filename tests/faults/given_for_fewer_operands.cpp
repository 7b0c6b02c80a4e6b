// fault: given() with the condition of one of two vectors, and a body that goes on with that one
// caught: compile time
// expect: given<..>(more...): 1 of its conditions holds, but the body gets 2 operands in `more`; name the conditions of when<..>() in operands(), in that order
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(),
                        when<true>(input<"gain(N)", bf16>()), when<true>(input<"bias(N)", bf16>()));

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto... more) {
    const auto [gain] = given<true>(more...);
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * sm.load(gain, {n}));
  }
};
static_assert(verified<kernel>);
