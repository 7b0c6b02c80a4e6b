// fault: a product that reads its own accumulator
// caught: compile time
// expect: a product reads its own accumulator as left factor; copy the fragment first
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", f16>(), input<"W(K',K)", f16>(), output<"C(M,K)", f16>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 64}});

  static constexpr void body(auto& sm, auto A, auto W, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<f16>());
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * sm.load(W, {as<"K'">(k), n});
    acc += acc * sm.load(W, {as<"K'">(n), 0});
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
