// Latent attention (MLA; DeepSeek-AI, DeepSeek-V2, 2024) of new tokens to the keys of a cache: O = softmax(Q L^T *
// scale) L[:, :512]. All heads of queries share one latent of 512 + 64 numbers for each key: a key is all of it, a
// value the first 512. A tile of latents is read from memory once, and from there by both products.
//
// Keys are shared out among CTAs as in decode.hpp: a part leaves its rows of O and the logarithms of their sums. An
// instruction has 64 rows, of which 16 heads would leave 48 empty. So products are turned around (.swap = true): keys
// lie along these rows, then columns of O, of which one consumer's registers hold all 512 for up to 32 heads. What the
// softmax leaves goes through shared memory to the second product, whose right factor it then is. Tiles of more heads
// follow each other; L2 has the latents for all of them.
#pragma once
#include <sectile/kernels/decode.hpp>

namespace sectile::kernels {

inline constexpr int latent_columns = 512, rotated_columns = 64;  // of a key; the others are those with its position

/// Of `all` tiles of keys those that part p of `parts` has, which may be none: the first, and the one behind the last.
constexpr auto share_of_keys(auto all, auto p, auto parts) {
  return std::pair(p * all / parts, (p + 1) * all / parts);
}

/// Part p of the keys of each sequence: its rows of O, and of these the natural logarithms of sums of exponentials. S
/// counts heads of queries times new tokens. Q and L are columns 0 to 511 of rows of 576, R and K the 64 behind. L and
/// K are B x T rows for the launch: sequence b has room for T keys, and lengths[b] of them are there. scale: log2(e)
/// times what scores are to be multiplied by. As many parts are fast as parts_of_decode() says of all tiles of Rows
/// rows.
template <int Rows, class T = bf16>
struct latent_attention {
  static constexpr auto operands =
      sectile::operands(input<"Q(B,S,D)", T>(), input<"R(B,S,F)", T>(), input<"L(B,T,D)", T>(), input<"K(B,T,F)", T>(),
                        output<"O(P,B,S,D)", float>(), scalar<"scale", float>(), group_counts<"lengths(B)", "T">(),
                        vector_output<"lse(P,B,S)", float>());
  static constexpr configuration how{.tile = {{"S", Rows}, {"T", 64}, {"D", latent_columns}, {"F", rotated_columns}},
                                     .stages = 2,
                                     .consumers = 1,
                                     .persistent = true,
                                     .swap = true,
                                     .overlap = launch_overlap::both};

  static constexpr void body(auto& sm, auto Q, auto R, auto L, auto K, auto O, auto scale, auto, auto lse) {
    constexpr int keys = extent<"T">(L);
    const auto at = sm.tile_of(O);
    const auto [part, b, i, d] = at;
    const auto [start, stop] = share_of_keys(at_least_one(tiles<"T">(L)), as<"T">(part), as<"T">(size<"P">(O)));
    const auto end = min(size<"T">(L), stop * keys);
    auto q = sm.load(Q, {b, i, 0});
    auto r = sm.load(R, {b, i, 0});
    auto o = sm.accumulator(O);
    auto sum = row_sum(o);
    auto m = sum.total() - 0x1.fffffep127f;  // sums are zeros so far
    for (auto n : sm.pipelined(at_least_one(stop - start))) {
      const auto j = start + n;
      auto l = sm.load(L, {b, j, 0});
      auto s = sm.accumulator(q * transpose(l));
      s += r * transpose(sm.load(K, {b, j, 0}));
      mask(
          s, {i, j}, (j + 1) * keys > end, [end](int, int t) { return t < end; }, -infinity);
      const auto grown = max(m, row_max(s) * scale);
      const auto shrink = exp2(m - grown);
      m = grown;
      s = exp2(fma(s, scale, -m));
      sum = sum * shrink + row_sum(s);
      o *= shrink;
      o += cast<T>(s) * l;  // the same tile, as values
    }
    const auto total = sum.total();
    sm.store(lse, {part, b, i}, (m + log2(total)) * ln_2);
    sm.store(O, at, o * reciprocal(max(total, 0x1p-126f)));
  }
};

/// What parts of latent_attention are together, as decode_merge: for the launch there is one head of keys. Of float it
/// merges some parts into one: of I x G parts, which lie as they are, every G-th, for G x B sequences.
template <class T = bf16>
struct latent_merge : decode_merge<latent_columns, T> {
  static constexpr configuration how = [] {
    configuration c = decode_merge<latent_columns, T>::how;
    c.stages = 8;  // of 16 KB
    return c;
  }();
};

}  // namespace sectile::kernels
