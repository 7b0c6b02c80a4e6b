// Attention of a new token to the many keys of a cache: O = softmax(Q K^T / sqrt(D)) V, where the keys of one head are
// shared out among CTAs.
//
// The rows of a tile are the heads of queries that share a head of keys, so keys and values are read once for all of
// them. One tile for each head of keys leaves most SMs with nothing to do: its keys are cut into P parts of whole
// tiles (Dao et al., Flash-Decoding, 2023). It is attention.hpp's body with another configuration, `split`: CTAs make a
// part each, and one of them merges what they have, in the order of their keys.
#pragma once
#include <sectile/kernels/attention.hpp>

namespace sectile::kernels {

/// O of a token's heads, of whose keys P CTAs make a part each. H counts heads of keys, S the rows that a head has. K
/// and V are H x B T x D for the launch, in whatever order they lie in memory: sequence b has room for T keys, and
/// lengths[b] of them are there.
template <int D, int P = 1, class T = bf16>
struct decode_attention : attention_of<attention_form{.dim = D, .lse = true, .counted = true, .parts = P}, T> {};

/// The same of a cache whose keys lie anywhere: K and V are H x slots x D, and slot[b, t] has key t of sequence b; a
/// launch takes the vector of all B x T. A slot is one of K as of V.
template <int D, int P = 1, class T = bf16>
struct paged_decode_attention
    : attention_of<attention_form{.dim = D, .lse = true, .counted = true, .parts = P, .paged = true}, T> {};

/// How many parts are fast for so many heads of keys in all sequences, whose longest one has so many keys: a power of
/// two, so many that most SMs have something to do, but of two tiles at least.
constexpr int parts_of_decode(int heads, int keys, int multiprocessors) {
  int parts = 1;
  while (parts < most_parts && 4 * parts * 128 <= keys + 127 && 2 * parts * heads <= multiprocessors) parts *= 2;
  return parts;
}
/// f(number) of this power of two as a constant, of those up to `Most`.
template <int Most, class F>
constexpr void with_parts(int parts, F f) {
  if constexpr (Most > 1) {
    if (parts < Most) return with_parts<Most / 2>(parts, f);
  }
  f(std::integral_constant<int, Most>{});
}

/// O and the logarithms of sums, of parts that a launch before has left, whose own logarithms say what each counts.
template <int D, class T = bf16>
struct decode_merge {
  static constexpr auto operands =
      sectile::operands(input<"parts(P,B,H,S,D)", float>(), vector_input<"sums(P,B,H,S)", float>(with_tiles),
                        output<"O(B,H,S,D)", T>(), vector_output<"lse(B,H,S)", float>());
  static constexpr configuration how{.tile = {{"S", 8}, {"D", D}},
                                     .stages = 16,
                                     .consumers = 1,
                                     .persistent = true,
                                     .swap = true,
                                     .overlap = launch_overlap::both};

  static constexpr void body(auto& sm, auto parts, auto sums, auto O, auto lse) {
    const auto at = sm.tile_of(O);
    const auto [b, h, s, d] = at;
    auto o = sm.accumulator(O);
    auto l = row_sum(o).total(), m = l - 0x1.fffffep127f;
    for (auto p : sm.pipelined(tiles<"P">(parts))) {
      const auto own = map(m, sm.load(sums, {p, b, h, s}), [](float, float x) { return x * log2_e; });
      const auto grown = max(m, own);
      const auto shrink = exp2(m - grown), weight = exp2(own - grown);
      o = o * shrink + cast<float>(in_registers(sm.load(parts, {p, b, h, s, d}))) * weight;
      l = l * shrink + weight;
      m = grown;
    }
    sm.store(lse, {b, h, s}, (m + log2(l)) * ln_2);
    sm.store(O, at, o * reciprocal(max(l, 0x1p-126f)));
  }
};

}  // namespace sectile::kernels
