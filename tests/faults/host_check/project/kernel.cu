#include <sectile/dsl.hpp>

namespace st = sectile;

struct too_odd {
  static constexpr auto operands =
      st::operands(st::input<"A(M,K)", st::bf16>(), st::input<"B(N,K)", st::bf16>(), st::output<"C(M,N)", st::bf16>());
  static constexpr st::configuration how{.tile = {{"M", 128}, {"K", 40}, {"N", 128}}};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(st::verified<too_odd>);
