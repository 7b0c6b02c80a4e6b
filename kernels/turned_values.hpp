// Values with keys side by side: what attention of 8 bits reads, and nobody has.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels {

/// W = V, rounded to T, each head stored as D x T. A copy of e4m3 loses nothing; of wider elements it saves their own
/// cast. T, the number of keys, is a multiple of 16, or the rows of W are padded to one.
template <class From, class T = e4m3>
struct turned_values {
  static constexpr auto operands = sectile::operands(input<"V(B,H,T,D)", From>(), output<"W(B,H,T,D)", T>(col_major));
  static constexpr configuration how{.tile = {{"T", 128}, {"D", 64}}, .stages = 4, .consumers = 1, .persistent = true};

  static constexpr void body(auto& sm, auto V, auto W) {
    const auto at = sm.tile_of(W);
    sm.store(W, at, cast<float>(in_registers(sm.load(V, at))));
  }
};

}  // namespace sectile::kernels
