// A kernel that becomes an operator.
#pragma once
#include <sectile/dsl.hpp>

struct product {
  static constexpr auto operands =
      sectile::operands(sectile::input<"A(M,K)", sectile::bf16>(), sectile::input<"B(N,K)", sectile::bf16>(),
                        sectile::output<"C(M,N)", sectile::bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) sum += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, sum);
  }
};
