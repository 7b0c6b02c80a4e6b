// A kernel that is refused.
#pragma once
#include <sectile/dsl.hpp>

struct too_many_stages {
  static constexpr auto operands =
      sectile::operands(sectile::input<"A(M,K)", sectile::bf16>(sectile::row_major, sectile::tile(128, 64)),
                        sectile::input<"B(N,K)", sectile::bf16>(sectile::row_major, sectile::tile(256, 64)),
                        sectile::output<"C(M,N)", sectile::bf16>(sectile::row_major, sectile::tile(128, 256)));
  static constexpr sectile::schedule schedule{.stages = 6, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(A.tiles(1))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(sectile::verified<too_many_stages>);
