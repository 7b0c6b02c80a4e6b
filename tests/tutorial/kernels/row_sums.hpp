// A kernel without a matrix among its outputs, of which no reference is given.
#pragma once
#include <sectile/dsl.hpp>

namespace mine {

/// The sum of each row.
struct row_sums {
  static constexpr auto operands =
      sectile::operands(sectile::input<"X(M,N)", sectile::bf16>(), sectile::output<"sums(M)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 128}}, .stages = 4, .persistent = true};

  static constexpr void body(auto& sm, auto X, auto sums) {
    auto [m] = sm.rows_of(X);
    auto sum = row_sum(cast<float>(in_registers(sm.load(X, {m, 0}))));
    for (auto j : sm.pipelined(tiles<"N">(X) - 1)) sum += row_sum(cast<float>(in_registers(sm.load(X, {m, j + 1}))));
    sm.store(sums, {m}, sum.total());
  }
};

}  // namespace mine
