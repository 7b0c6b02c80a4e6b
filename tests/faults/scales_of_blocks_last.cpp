// fault: scales of rows and blocks declared with the blocks last, SA(M,KB) for SA(KB,M)
// caught: compile time
// expect: operand SA: tile extent 128 of batch mode 0 must be 1; only the last mode of a vector is tiled
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), vector_input<"SA(M,KB)", float>(with_tiles),
                        output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 64}, {"N", 64}, {"KB", 1}});

  static constexpr void body(auto& sm, auto A, auto B, auto SA, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum += part * sm.load(SA, {m, as<"KB">(k)});
    }
    sm.store(C, {m, n}, sum);
  }
};
static_assert(verified<kernel>);
