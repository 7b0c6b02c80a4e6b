// Latent attention (MLA; DeepSeek-AI, DeepSeek-V2, 2024) of new tokens to the keys of a cache: O = softmax(Q L^T *
// scale) L[:, :512]. All heads of queries share one latent of 512 + 64 numbers for each key: a key is all of it, a
// value the first 512. A tile of latents is read from memory once, and from there by both products.
//
// Keys are shared out among CTAs as in decode.hpp, by `split`. An instruction has 64 rows, of which 16 heads would
// leave 48 empty. So products are turned around (.swap = true): keys lie along these rows, then columns of O, of which
// one consumer's registers hold all 512 for up to 32 heads. What the softmax leaves goes through shared memory to the
// second product, whose right factor it then is. Tiles of more heads follow each other; L2 has the latents for all of
// them.
#pragma once
#include <sectile/kernels/decode.hpp>
#include <tuple>

namespace sectile::kernels {

inline constexpr int latent_columns = 512, rotated_columns = 64;  // of a key; the others are those with its position

/// How latent attention is divided: `rows` rows of O at a time, one of so many `slices` of their columns, of keys of
/// which `parts` CTAs make a part each, which meet in a workspace if `apart`. CTAs that make other columns of the same
/// rows make the same scores, so slices are more work in all; but there are more CTAs, and the parts to be merged are
/// smaller. `paged`: latents lie anywhere, and a vector in device memory says where.
struct latent_form {
  int rows = 16, parts = 1, slices = 1;
  bool apart = false, paged = false;

  constexpr int columns() const { return latent_columns / slices; }
  friend constexpr bool operator==(const latent_form&, const latent_form&) = default;
};

/// One that is fast for so many heads and sequences, whose longest one has so many keys. It goes by how many tiles of
/// 16 rows and 64 keys there are for each SM. Few of them are shared out by columns as well; many heads have tiles of
/// 32 rows where SMs are busy for long, and of 64 where these take fewer waves: a wave of them lasts 1.6 times as long.
/// There are parts until SMs have no room for more, or a part is so short that to merge them takes longer than to make
/// them. They meet in a cluster if all of these find room at once, else apart, or are fewer.
constexpr latent_form form_of_latents(int heads, int sequences, int keys, int multiprocessors) {
  latent_form form;
  const int along_keys = (keys + 63) / 64;
  int tiles = sequences * ((heads + 15) / 16);
  const std::int64_t all = std::int64_t{tiles} * along_keys;
  const auto waves = [&](int rows) {
    return (sequences * ((heads + rows - 1) / rows) + multiprocessors - 1) / multiprocessors;
  };
  if (heads > 16 && all > 20 * multiprocessors) {
    if (heads > 32 && 8 * waves(64) < 5 * waves(32)) return {.rows = 64};
    form.rows = 32;
    tiles = sequences * ((heads + 31) / 32);
  } else if (16 * tiles <= multiprocessors && all <= 8 * multiprocessors) {
    form.slices = 2 * all <= multiprocessors ? 4 : 2;
    tiles *= form.slices;
  }
  while (form.parts < most_parts && 2 * form.parts * tiles <= multiprocessors && 2 * form.parts <= along_keys &&
         form.parts * form.parts <= along_keys)
    form.parts *= 2;
  while (!form.apart && form.parts > 2 && form.parts <= largest_cluster &&
         form.parts * tiles > multiprocessors * 7 / 8) {
    if (along_keys >= 8 * form.parts)
      form.apart = true;
    else
      form.parts /= 2;
  }
  return form;
}

/// S counts heads of queries times new tokens. Q and L are columns 0 to 511 of rows of 576, R and K the 64 behind. L
/// and K are B x T rows for the launch: sequence b has room for T keys, and lengths[b] of them are there. scale:
/// log2(e) times what scores are to be multiplied by. Of paged latents L and K are all slots, and slot[b, t] has key t
/// of sequence b; a launch takes the vector of all B x T. CTAs that make some of the columns leave a row's logarithm
/// each, lse(C,B,S), which are alike but for the order of sums.
template <latent_form Form = latent_form{}, class T = bf16>
struct latent_attention {
  static constexpr auto operands =
      sectile::operands(input<"Q(B,S,D)", T>(), input<"R(B,S,F)", T>(), keys_or_values<Form.paged, "L(B,T,D)", T>(),
                        keys_or_values<Form.paged, "K(B,T,F)", T>(), output<"O(B,S,D)", T>(), scalar<"scale", float>(),
                        group_counts<"lengths(B)", "T">(), when<Form.paged>(vector_input<"slot(B,T)", s32>()),
                        vector_output<either<(Form.slices > 1)>("lse(C,B,S)", "lse(B,S)"), float>());
  static constexpr configuration how{
      .tile = {{"S", Form.rows}, {"T", 64}, {"D", Form.columns()}, {"F", rotated_columns}},
      .stages = 2 * Form.slices,
      .consumers = 1,
      .persistent = Form.parts == 1,
      .split = Form.parts,
      .apart = Form.apart,
      // Of more, one CTA would read as much as 1,024 latents have.
      .fan_in = Form.parts < 32 || Form.rows * Form.parts < 1024 ? 0 : 8,
      .swap = true,
      .overlap = launch_overlap::both};

  [[gnu::always_inline]] static constexpr void body(auto& sm, auto Q, auto R, auto L, auto K, auto O, auto scale,
                                                    auto... more) {
    constexpr int keys = extent<"T">(L);
    constexpr auto others = std::make_integer_sequence<int, Form.slices - 1>{};
    const auto [lengths, slot, lse] = given<true, Form.paged, true>(more...);
    const auto at = sm.tile_of(O);
    const auto [b, i, d] = at;
    const auto [start, stop] = sm.own_trips(0, at_least_one(tiles<"T">(L)));
    const auto end = min(size<"T">(L), stop * keys);
    const auto slice = [&, d = d](int n) { return (d + n) % Form.slices; };
    auto q = sm.load(Q, {b, i, d});
    auto more_q = [&, b = b, i = i ]<int... N>(std::integer_sequence<int, N...>) {
      return std::tuple{sm.load(Q, {b, i, slice(N + 1)})...};
    }
    (others);
    auto r = sm.load(R, {b, i, 0});
    auto o = sm.accumulator(O);
    auto sums = row_sum(o);
    auto m = sums.total() - 0x1.fffffep127f;  // sums are zeros so far
    for (auto n : sm.pipelined(at_least_one(stop - start))) {
      const auto j = start + n;
      auto l = sm.load(L, {b, j, d});
      auto s = sm.accumulator(q * transpose(l));
      [&, b = b ]<int... N>(std::integer_sequence<int, N...>) {
        ((s += std::get<N>(more_q) * transpose(sm.load(L, {b, j, slice(N + 1)}))), ...);
      }
      (others);
      s += r * transpose(sm.load(K, {b, j, 0}));
      mask(
          s, {i, j}, (j + 1) * keys > end, [end = end](int, int t) { return t < end; }, -infinity);
      const auto grown = max(m, row_max(s) * scale);
      const auto shrink = exp2(m - grown);
      m = grown;
      s = exp2(fma(s, scale, -m));
      sums = sums * shrink + row_sum(s);
      o *= shrink;
      o += cast<T>(s) * l;  // the same tile, as values
    }
    auto sum = sums.total();
    sm.merge(softmax_of_both, m, sum, o);
    if constexpr (Form.slices > 1)
      sm.store(lse, {as<"C">(d), b, i}, (m + log2(sum)) * ln_2);
    else
      sm.store(lse, {b, i}, (m + log2(sum)) * ln_2);
    sm.store(O, at, o * reciprocal(max(sum, 0x1p-126f)));
  }
};

/// The same for 64 rows, where every CTA has all keys of some. Two consumers abreast have 32 rows each, and read the
/// same latents. Half a tile comes at a time, so that one is on its way as soon as it has been multiplied as values;
/// and they take turns at the tensor cores, or both would compute at the same time.
template <latent_form Form, class T>
requires(Form.rows == 64 && Form.parts == 1 && Form.slices == 1) struct latent_attention<Form, T> {
  static constexpr auto operands =
      sectile::operands(input<"Q(B,S,D)", T>(), input<"R(B,S,F)", T>(), keys_or_values<Form.paged, "L(B,T,D)", T>(),
                        with_stages(1, keys_or_values<Form.paged, "K(B,T,F)", T>()), output<"O(B,S,D)", T>(),
                        scalar<"scale", float>(), group_counts<"lengths(B)", "T">(),
                        when<Form.paged>(vector_input<"slot(B,T)", s32>()), vector_output<"lse(B,S)", float>());
  static constexpr configuration how{.tile = {{"S", 32}, {"T", 64}, {"D", latent_columns / 2}, {"F", rotated_columns}},
                                     .stages = 4,
                                     .consumers = 2,
                                     .abreast = true,
                                     .pingpong = true,
                                     .swap = true,
                                     .overlap = launch_overlap::both};

  [[gnu::always_inline]] static constexpr void body(auto& sm, auto Q, auto R, auto L, auto K, auto O, auto scale,
                                                    auto... more) {
    constexpr int keys = extent<"T">(L);
    const auto [lengths, slot, lse] = given<true, Form.paged, true>(more...);
    const auto [b, i] = sm.rows_of(O);
    const auto end = size<"T">(L);
    auto q0 = sm.load(Q, {b, i, 0}), q1 = sm.load(Q, {b, i, 1});
    auto r = sm.load(R, {b, i, 0});
    auto o0 = sm.accumulator(O), o1 = sm.accumulator(O);
    auto sums = row_sum(o0);
    auto m = sums.total() - 0x1.fffffep127f;  // sums are zeros so far
    for (auto j : sm.pipelined(at_least_one(tiles<"T">(L)))) {
      auto l0 = sm.load(L, {b, j, 0});
      auto s = sm.accumulator(q0 * transpose(l0));
      auto l1 = sm.load(L, {b, j, 1});
      s += q1 * transpose(l1);
      s += r * transpose(sm.load(K, {b, j, 0}));
      mask(
          s, {i, j}, (j + 1) * keys > end, [end = end](int, int t) { return t < end; }, -infinity);
      const auto grown = max(m, row_max(s) * scale);
      const auto shrink = exp2(m - grown);
      m = grown;
      s = exp2(fma(s, scale, -m));
      sums = sums * shrink + row_sum(s);
      o0 *= shrink;
      o1 *= shrink;
      const auto weights = cast<T>(s);
      o0 += weights * l0;  // the same tile, as values
      o1 += weights * l1;
    }
    auto sum = sums.total();
    sm.store(lse, {b, i}, (m + log2(sum)) * ln_2);
    const auto part = reciprocal(max(sum, 0x1p-126f));
    for (auto d : sm.pipelined(tiles<"D">(O)))
      sm.store(O, {b, i, d}, map(o0, o1, [d = d](float x, float y) { return select(d == 0, x, y); }) * part);
  }
};

}  // namespace sectile::kernels
