// fault: the outer product of two vectors, with nothing that it is spread over
// caught: compile time
// expect: a * b with a part of u and a part of v: a vector is spread over the fragment that it meets, as in acc * scale + bias: begin with the fragment
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"u(M)", float>(), input<"v(N)", float>(),
                                                     output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto u, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto scale = sm.load(u, {m}) * sm.load(v, {n});
    sm.store(C, {m, n}, acc * scale);
  }
};
static_assert(verified<kernel>);
