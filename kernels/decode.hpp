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

}  // namespace sectile::kernels
