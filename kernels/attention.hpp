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

template <int D, attention_mask Mask>
struct attention {
  static constexpr int queries = D <= 64 ? 192 : 128, keys = 128;  // rows of a tile
  static constexpr bool causal = Mask == attention_mask::causal;
  static constexpr auto operands =
      sectile::operands(input<"Q(B,H,S,D)", bf16>(), input<"K(B,H,T,D)", bf16>(), input<"V(B,H,T,D)", bf16>(),
                        output<"O(B,H,S,D)", bf16>(),
                        scalar<"scale", float>());  // log2(e) / sqrt(D), above 0: powers of two are cheaper than of e
  static constexpr configuration how{.tile = {{"S", queries}, {"T", keys}, {"D", D}},
                                     .stages = 2,
                                     .consumers = queries / 64,
                                     .persistent = !causal,  // causal tiles differ in weight
                                     .pingpong = true,
                                     .rows = causal ? traversal::reversed : traversal::forward};

  [[gnu::always_inline]] static constexpr void body(auto& sm, auto Q, auto K, auto V, auto O, auto scale) {
    const auto [b, h, i, zero] = sm.tile_of(O);
    const auto length = size<"T">(K);
    const auto all = tiles<"T">(K);
    const auto first = as<"T">(i * queries), last = first + queries - 1;  // the keys that stand beside this tile's rows
    const auto n = select(causal, min(last / keys + 1, all), all);
    const auto visible = [=](int r, int c) { return c < length && (!causal || c <= r); };
    const auto hidden = [=](auto j) {  // whether tile j reaches past what the first row of this tile may see
      const auto end = (j + 1) * keys;
      return end > length || (causal && end - 1 > first);
    };

    auto q = sm.load(Q, {b, h, i, zero});
    auto s = sm.accumulator(q * transpose(sm.load(K, {b, h, 0, 0})));
    auto o = sm.accumulator(O);
    mask(s, {i, 0}, hidden(0), visible, -infinity);
    auto m = row_max(s) * scale;
    s = exp2(fma(s, scale, -m));
    auto l = row_sum(s);
    auto p = cast<bf16>(s);
    for (auto j : sm.pipelined(n - 1)) {
      s = q * transpose(sm.load(K, {b, h, j + 1, 0}));  // the next scores ...
      o += p * sm.load(V, {b, h, j, 0});                // ... and this tile's values, both in flight
      mask(s, {i, j + 1}, hidden(j + 1), visible, -infinity);
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

/// Causal attention whose CTAs draw their tiles: the heaviest of 32 heads, then the next of each, and what they read of
/// K and V stays in L2. Who has had heavy tiles draws fewer, and loads the next one's while the last ends. A launch
/// takes a workspace, of a few bytes.
template <int D>
struct drawn_attention : attention<D, attention_mask::causal> {
  static constexpr configuration how = [] {
    configuration c = attention<D, attention_mask::causal>::how.with_drawn_tiles();
    c.persistent = true;
    c.batches = 32;
    return c;
  }();
};

}  // namespace sectile::kernels
