// fault: a family whose sums differ from run to run, of which the program does not say so
// caught: compile time
// expect: configuration 0 combines by add_in_any_order: its bits differ from run to run, so they hang on no configuration either; say static constexpr auto sums = sectile::any_order
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(N)", float>(), output<"C(M,N)", bf16>());
  static constexpr auto how = configurations(product::how, product::how.with_tile({{"M", 128}, {"K", 64}, {"N", 128}}));

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(v, {n}, acc, reduction::add_in_any_order);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
