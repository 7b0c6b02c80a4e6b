// fault: an accumulator along M x N that is stored to an output along N x M: the tiles are square
// caught: compile time
// expect: store to C: the value is along M x N, C along N x M; declare it C(M,N), or sum transpose(b) * transpose(a)
// expect-clang: refused_because<sectile::rule::values_are_along_other_modes>
// expect-nvcc: refused_because<sectile::rule::values_are_along_other_modes>
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(N,M)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 128}, {"K", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [n, m] = sm.tile_of(C);
    auto acc = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0})));
    for (auto k : sm.pipelined(tiles<"K">(A) - 1))
      acc += sm.load(A, {m, k + 1}) * transpose(sm.load(B, {n, k + 1}));
    sm.store(C, {n, m}, acc);
  }
};
static_assert(verified<kernel>);
