// fault: a number for each column that is multiplied to numbers of rows
// caught: compile time
// expect: a * b with a number per row and a part of v: v is along N (64), what it meets along M (128); a vector goes along one of its modes; x * (a * b) of a fragment x along both takes the two in_registers(), and map(x, a, b, f) as they are
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"v(N)", float>(),
                                                     output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto x = acc * (row_max(acc) * sm.load(v, {n}));
    sm.store(C, {m, n}, x);
  }
};
static_assert(verified<kernel>);
