// Attention forward: O = softmax(Q K^T / sqrt(D)) V for each batch and head, accumulated in f32.
//
// One pass over the keys with an online softmax (Milakov and Gimelshein, 2018; Dao et al., FlashAttention, 2022): the
// running maximum m and sum l of each row are kept, and what has been accumulated is rescaled when the maximum grows.
// The scores of the next tile are multiplied while the softmax of this one is computed (Shah et al., FlashAttention-3,
// 2024). Tiles of keys that no row of a tile sees are not loaded, and only those at an edge of what is seen are masked.
#pragma once
#include <sectile/kernels/attention_form.hpp>

namespace sectile::kernels {

/// A tile of queries of one head, and all keys that they see. What a form does without is gone when it is compiled.
template <attention_form Form, class T = bf16>
struct attention_of {
  static constexpr bool allowed = has_form<Form, T>();
  static constexpr auto operands = attention_operands<Form, T>();
  static constexpr configuration how = Form.how(element_of<T>().bits);

  [[gnu::always_inline]] static constexpr void body(auto& sm, auto Q, auto K, auto V, auto O, auto scale,
                                                    auto... more) {
    constexpr bool bounded = Form.bounded(), windowed = Form.windowed(), may_see_nothing = Form.may_see_nothing();
    constexpr int queries = extent<"S">(Q), keys = extent<"T">(K);
    constexpr int row_mode = Form.counts_groups() ? 3 : 2;
    constexpr bool scaled = is_scaled<T>;
    const auto [query_ends, key_ends, lengths, slot, lse, sinks, left, right, cap, slopes, value_scale] =
        given<Form.varlen, Form.varlen, Form.counted, Form.paged, Form.lse, Form.sinks, windowed, Form.ends(),
              Form.capped, Form.slopes, scaled>(more...);
    const auto at = sm.tile_of(O);
    const auto b = at.template get<0>();
    const auto h = head_of_keys<Form>(Q, K, at.template get<1>());
    const auto i = at.template get<row_mode>();
    const auto all = at_least_one(tiles<"T">(K));  // where there is no key the tile is zeros, which nobody sees
    const auto seen = keys_seen<Form>(Q, K, left, right);
    const auto first = as<"T">(i * queries) + seen.shift, last = first + queries - 1;  // this tile's rows' own keys
    const auto begin = select(windowed, min(max(first - seen.before, 0) / keys, all - 1), 0);
    const auto end = select(bounded, min((last + seen.behind) / keys + 1, all), all);
    const auto [start, stop] = sm.own_trips(begin, end);
    const auto trips = stop - start;
    const auto n = select(may_see_nothing, max(trips, 1), trips);
    const auto own = seen_until<Form>(seen, stop * keys);
    const auto factor = [&, cap = cap] {  // from scores to powers of two
      if constexpr (scaled)
        return sm.load(scale, {b, h});
      else
        return select(Form.capped, cap * log2_e, scale);
    }();
    const auto adjust = [&](auto& s, auto j, auto slope) {
      if constexpr (Form.capped && allowed) s = tanh(s * (scale / factor));
      if constexpr (Form.slopes && allowed)
        s = fma(map_at(s, {i, j}, [=](float, int r, int c) { return seen.distance(r, c) * (log2_e / factor); }),
                sm.load(slope, part_of(slope, at)), s);
      mask(s, {i, j}, own.hides(first, last, j * keys, (j + 1) * keys), own, -infinity);
    };
    const auto sink_beside = [&](auto& m, auto sink) {
      return map(m, sm.load(sink, part_of(sink, at)), [](float, float x) { return x * log2_e; });
    };
    // What is taken from a row's scores, so that their powers of two go up to 1, or of 8 bits as far as these do.
    const auto largest = [&](const auto& x) {
      if constexpr (scaled)
        return fma(row_max(x), factor, -probability_exponent<T>);
      else
        return row_max(x) * factor;
    };
    auto q = sm.load(Q, part_of(Q, at));
    auto s = sm.accumulator(q * transpose(sm.load(K, {b, h, start, 0})));
    auto o = sm.accumulator(O);
    adjust(s, start, slopes);
    auto m = largest(s);
    if constexpr (Form.sinks && scaled) m = max(m, sink_beside(m, sinks) - probability_exponent<T>);
    if constexpr (Form.sinks && !scaled) m = max(m, sink_beside(m, sinks));
    if constexpr (may_see_nothing) m = max(m, -0x1.fffffep127f);
    s = exp2(fma(s, factor, -m));
    auto l = row_sum(s);
    auto p = cast<T>(s);
    for (auto j : sm.pipelined(n - 1)) {
      s = q * transpose(sm.load(K, {b, h, start + j + 1, 0}));  // the next scores ...
      o += p * sm.load(V, {b, h, start + j, 0});                // ... and this tile's values, both in flight
      adjust(s, start + j + 1, slopes);
      auto grown = max(m, largest(s));
      auto shrink = exp2(m - grown);
      m = grown;
      s = exp2(fma(s, factor, -m));
      l = l * shrink + row_sum(s);
      o *= shrink;
      p = cast<T>(s);
    }
    o += p * sm.load(V, {b, h, start + (n - 1), 0});
    auto sum = l.total();
    sm.merge(softmax_of_both, m, sum, o);
    if constexpr (Form.sinks) sum += exp2(sink_beside(m, sinks) - m);
    o *= reciprocal(may_see_nothing ? max(sum, 0x1p-126f) : sum);
    if constexpr (scaled) o *= sm.load(value_scale, {b, h});
    if constexpr (Form.lse) sm.store(lse, part_of(lse, at), (m + log2(sum)) * ln_2);
    sm.store(O, at, o);
  }
};

/// The plain ones: as many keys as values, and all keys or those up to a row's own.
template <int D, attention_mask Mask>
struct attention : attention_of<attention_form{.dim = D, .mask = Mask}> {};

/// Causal attention whose CTAs draw their tiles: the heaviest of 32 heads, then the next of each, and what they read of
/// K and V stays in L2. Who has had heavy tiles draws fewer, and loads the next one's while the last ends. A launch
/// takes a workspace, of a few bytes. Brief: for sequences of few rows, see attention_form.
template <int D, bool Brief = false>
struct drawn_attention
    : attention_of<attention_form{.dim = D, .mask = attention_mask::causal, .drawn = true, .brief = Brief}> {};

}  // namespace sectile::kernels
