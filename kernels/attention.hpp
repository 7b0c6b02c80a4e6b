// Attention forward: O = softmax(Q K^T / sqrt(D)) V for each batch and head, bf16, accumulated in f32.
//
// One pass over the keys with an online softmax (Milakov and Gimelshein, 2018; Dao et al., FlashAttention, 2022): the
// running maximum m and sum l of each row are kept, and what has been accumulated is rescaled when the maximum grows.
// The scores of the next tile are multiplied while the softmax of this one is computed (Shah et al., FlashAttention-3,
// 2024).
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels {

enum class attention_mask : std::uint8_t { none, causal };

/// Rows of queries and of keys per tile, and how many warpgroups share them, for a head dimension.
struct attention_tiles {
  int queries, keys, stages, consumers;
};
constexpr attention_tiles attention_tiles_for(int head_dim) {
  return head_dim <= 64 ? attention_tiles{192, 128, 2, 3} : attention_tiles{128, 128, 2, 2};
}

template <int D, attention_mask Mask>
struct attention {
  static constexpr attention_tiles tiles = attention_tiles_for(D);
  static constexpr auto operands = sectile::operands(
      input<"Q(B,H,S,D)", bf16>(row_major, tile(1, 1, tiles.queries, D)),
      input<"K(B,H,T,D)", bf16>(row_major, tile(1, 1, tiles.keys, D)),
      input<"V(B,H,T,D)", bf16>(row_major, tile(1, 1, tiles.keys, D)),
      output<"O(B,H,S,D)", bf16>(row_major, tile(1, 1, tiles.queries, D)),
      scalar<"scale", float>());  // log2(e) / sqrt(D), above 0: powers of two are cheaper than of e
  static constexpr sectile::schedule schedule{
      .stages = tiles.stages,
      .consumers = tiles.consumers,
      .persistent = Mask == attention_mask::none,  // causal tiles differ in weight
      .pingpong = true,
      .rows = Mask == attention_mask::causal ? traversal::reversed : traversal::forward};

  static constexpr void body(auto& sm, auto Q, auto K, auto V, auto O, float scale) {
    const auto [b, h, i, zero] = sm.tile_of(O);
    const int row = i, keys = K.size(2);
    const int last_row = (row + 1) * tiles.queries - 1;  // of this tile
    const int all = K.tiles(2), seen = last_row / tiles.keys + 1;
    const int n = Mask == attention_mask::causal && seen < all ? seen : all;
    const auto visible = [=](int r, int c) { return c < keys && (Mask == attention_mask::none || c <= r); };
    const auto hidden = [=](int j) {  // whether tile j reaches past what the first row of this tile may see
      const int end = (j + 1) * tiles.keys;
      return end > keys || (Mask == attention_mask::causal && end - 1 > row * tiles.queries);
    };

    auto q = sm.load(Q, {b, h, i, zero});
    auto s = sm.accumulator(q * transpose(sm.load(K, {b, h, 0, 0})));
    auto o = sm.accumulator(O);
    mask(s, {row, 0}, hidden(0), visible, -infinity);
    auto m = row_max(s) * scale;
    s = exp2(fma(s, scale, -m));
    auto l = row_sum(s);
    auto p = cast<bf16>(s);
    for (auto j : sm.pipelined(n - 1)) {
      s = q * transpose(sm.load(K, {b, h, j + 1, 0}));  // the next scores ...
      o += p * sm.load(V, {b, h, j, 0});                // ... and this tile's values, both in flight
      mask(s, {row, j + 1}, hidden(j + 1), visible, -infinity);
      auto grown = max(m, row_max(s) * scale);
      auto shrink = exp2(m - grown);
      m = grown;
      s = exp2(fma(s, scale, -m));
      l = l * shrink + row_sum(s);
      o *= shrink;
      p = cast<bf16>(s);
    }
    o += p * sm.load(V, {b, h, n - 1, 0});
    o *= reciprocal(l);
    sm.store(O, {b, h, i, zero}, o);
  }
};

}  // namespace sectile::kernels
