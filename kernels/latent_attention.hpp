#pragma once
#include <sectile/kernels/attention_form.hpp>
#include <sectile/kernels/decode.hpp>

namespace sectile::kernels {

template <int Rows, int Sharers = 1, class T = bf16>
struct latent_attention {
  static constexpr int latent = 512, shared = 64;
  static constexpr auto operands = sectile::operands(
      input<"Q(B,S,D)", T>(), input<"R(B,S,F)", T>(), input<"L(B,T,D)", T>(), input<"K(B,T,F)", T>(),
      output<"O(P,B,S,D)", float>(), scalar<"scale", float>(), group_counts<"lengths(B)", "T">(),
      vector_output<"lse(P,B,S)", float>());
  static constexpr configuration how{.tile = {{"S", Rows}, {"T", 64}, {"D", latent}, {"F", shared}},
                                     .stages = 2,
                                     .cluster = {Sharers, 1},
                                     .consumers = 1,
                                     .persistent = true,
                                     .swap = true,
                                     .overlap = launch_overlap::both};

  static constexpr void body(auto& sm, auto Q, auto R, auto L, auto K, auto O, auto scale, auto, auto lse) {
    constexpr int keys = extent<"T">(L);
    const auto at = sm.tile_of(O);
    const auto [part, b, i, d] = at;
    const auto all = at_least_one(tiles<"T">(L));
    const auto start = as<"T">(part) * all / as<"T">(size<"P">(O)), stop = as<"T">(part + 1) * all / as<"T">(size<"P">(O));
    const auto end = min(size<"T">(L), stop * keys);
    auto q = sm.load(Q, {b, i, 0});
    auto r = sm.load(R, {b, i, 0});
    auto o = sm.accumulator(O);
    auto m = row_max(sm.accumulator(O)) - 0x1.fffffep127f;
    auto sum = row_sum(sm.accumulator(O));
    for (auto n : sm.pipelined(at_least_one(stop - start))) {
      const auto j = start + n;
      auto l = sm.load(L, {b, j, 0});
      auto s = sm.accumulator(q * transpose(l));
      s += r * transpose(sm.load(K, {b, j, 0}));
      mask(s, {i, j}, (j + 1) * keys > end, [=](int, int t) { return t < end; }, -infinity);
      const auto grown = max(m, row_max(s) * scale);
      const auto shrink = exp2(m - grown);
      m = grown;
      s = exp2(fma(s, scale, -m));
      sum = sum * shrink + row_sum(s);
      o *= shrink;
      o += cast<T>(s) * l;
    }
    const auto total = sum.total();
    sm.store(lse, {part, b, i}, (m + log2(total)) * ln_2);
    sm.store(O, at, o * reciprocal(max(total, 0x1p-126f)));
  }
};
}  // namespace sectile::kernels
namespace sectile::kernels {
constexpr int parts_of_latents(int batch, int heads, int keys, int multiprocessors) {
  return parts_of_decode(batch, keys, heads <= 16 ? multiprocessors : multiprocessors / 4 - 1);
}
struct latent_merge {
  static constexpr auto operands =
      sectile::operands(input<"parts(P,B,S,D)", float>(), vector_input<"sums(P,B,S)", float>(with_tiles),
                        output<"O(B,S,D)", bf16>(), vector_output<"lse(B,S)", float>());
  static constexpr configuration how{.tile = {{"S", 8}, {"D", 64}},
                                     .stages = 16,
                                     .cluster = {1, 8},
                                     .consumers = 1,
                                     .persistent = true,
                                     .swap = true,
                                     .overlap = launch_overlap::both};

  static constexpr void body(auto& sm, auto parts, auto sums, auto O, auto lse) {
    const auto at = sm.wide_tile_of(O);
    const auto [b, s, d] = at;
    auto o = sm.accumulator(O);
    auto l = row_max(o), m = l - 0x1.fffffep127f;
    for (auto p : sm.pipelined(tiles<"P">(parts))) {
      const auto own = map(m, sm.load(sums, {p, b, s}), [](float, float x) { return x * log2_e; });
      const auto grown = max(m, own);
      const auto shrink = exp2(m - grown), weight = exp2(own - grown);
      o = o * shrink + cast<float>(in_registers(sm.load(parts, {p, b, s, d}))) * weight;
      l = l * shrink + weight;
      m = grown;
    }
    sm.store(lse, {b, s}, (m + log2(l)) * ln_2);
    sm.store(O, at, o * reciprocal(max(l, 0x1p-126f)));
  }
};
}  // namespace sectile::kernels
