// fault: partial results at numbers that are of no tile
// caught: compile time
// expect: operand v: mode T is none of C's, so it counts tiles along one that v lacks: as<"T">(n), n a coordinate of tile_of(C), not 4
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     vector_output<"v(T,M)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(v, {as<"T">(2 * n), m}, row_max(acc));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
