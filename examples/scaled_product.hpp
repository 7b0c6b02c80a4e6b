// A kernel of one's own that becomes an operator by one line of CMake (CMakeLists.txt): nothing of it stands here.
#pragma once
#include <sectile/dsl.hpp>

/// C = alpha A B, B as it comes: K x N in row-major order.
struct scaled_product {
  static constexpr auto operands = sectile::operands(
      sectile::input<"A(M,K)", sectile::f16>(), sectile::input<"B(K,N)", sectile::f16>(),
      sectile::output<"C(M,N)", sectile::f16>(), sectile::scalar<"alpha", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"N", 128}, {"K", 64}}, .stages = 4, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto alpha) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) sum += sm.load(A, {m, k}) * sm.load(B, {k, n});
    sm.store(C, {m, n}, sum * alpha);
  }
};
