// Kernels that no CTA has room for, where one in four is proven.
#pragma once
#define SECTILE_PROVE_ONE_IN 4
#include <sectile/dsl.hpp>

template <int Stages>
struct too_many_stages {
  static constexpr auto operands =
      sectile::operands(sectile::input<"A(M,K)", sectile::bf16>(), sectile::input<"B(N,K)", sectile::bf16>(),
                        sectile::output<"C(M,N)", sectile::bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 256}, {"K", 64}}, .stages = Stages};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(sectile::tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
