// fault: a part of a vector that is taken for a float
// caught: compile time
// expect: a part of v is no number: a vector is spread over the fragment that it meets, as in acc * scale + bias: begin with the fragment
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"v(N)", float>(),
                                                     output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const float x = sm.load(v, {n});
    sm.store(C, {m, n}, acc * x);
  }
};
static_assert(verified<kernel>);
