// What the mistakes here are made in: C = A B^T, and its operands alone.
#pragma once
#include <sectile/dsl.hpp>

namespace st = sectile;
using st::bf16;

struct shapes {
  static constexpr auto operands = st::operands(st::input<"A(M,K)", bf16>(st::row_major, st::tile(128, 64)),
                                                st::input<"B(N,K)", bf16>(st::row_major, st::tile(128, 64)),
                                                st::output<"C(M,N)", bf16>(st::row_major, st::tile(128, 128)));
  static constexpr st::schedule schedule{};
};

struct right : shapes {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(A.tiles(1))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
