// fault: a bias that is loaded in the form of a program that has none
// caught: compile time
// expect: load() begins with an operand of the body, not with a number; of one that is not there, for which given<..>() has 0, if constexpr asks
#include "fault.hpp"

template <bool Biased>
struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), when<Biased>(input<"bias(N)", bf16>()));

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto... more) {
    const auto [bias] = given<Biased>(more...);
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(bias, {n}));
  }
};
static_assert(verified<kernel<true>> && verified<kernel<false>>);
