// Attention of a new token to the many keys of a cache: O = softmax(Q K^T / sqrt(D)) V, where the keys of one head are
// shared out among CTAs.
//
// The rows of a tile are the heads of queries that share a head of keys, so keys and values are read once for all of
// them. One tile for each head of keys leaves most SMs with nothing to do: its keys are cut into P parts of whole
// tiles, and a CTA does with one of them what attention.hpp does with all (Dao et al., Flash-Decoding, 2023). A second
// kernel adds the parts up in the order of their keys. It is a launch of its own, which is set up while the first one
// ends: CTAs that meet in a workspace add up sums, and what parts of a softmax are together is none.
#pragma once
#include <sectile/kernels/attention.hpp>

namespace sectile::kernels {

/// Part p of the keys of each head: its rows of O, and of these the logarithms of sums of exponentials. H counts heads
/// of keys, S the rows that a head has. K and V are H x B T x D for the launch, in whatever order they lie in memory:
/// sequence b has room for T keys, and lengths[b] of them are there.
template <int D, class T = bf16>
struct decode_parts : attention_of<attention_form{.dim = D, .lse = true, .parts = true}, T> {};

/// How many parts are fast for so many heads of keys in all sequences, whose longest one has so many keys: one for each
/// SM that has nothing to do otherwise, but of two tiles at least.
constexpr int parts_of_decode(int heads, int keys, int multiprocessors) {
  const int tiles = (keys + 63) / 64, most = tiles / 2 < multiprocessors / heads ? tiles / 2 : multiprocessors / heads;
  return most < 1 ? 1 : most;
}

/// The same of a cache whose keys lie anywhere: K and V are H x slots x D, and slot[b, t] has key t of sequence b; a
/// launch takes the vector of all B x T. A slot is one of K as of V.
template <int D, class T = bf16>
struct paged_decode_parts : attention_of<attention_form{.dim = D, .lse = true, .parts = true, .paged = true}, T> {};

/// What all parts together are: O and the logarithms of sums, of parts whose own logarithms say what each counts.
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
