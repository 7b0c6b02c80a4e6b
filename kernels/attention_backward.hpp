// Attention backward: the gradients dQ, dK and dV of O = softmax(Q K^T / sqrt(D)) V, given that of O.
//
// With P what softmax made of the scores, dP = dO V^T, and delta the sum of dO * O along each row, the scores have the
// gradient dS = P * (dP - delta), and so dV = P^T dO, dK = dS^T Q and dQ = dS K (Dao et al., FlashAttention, 2022). P
// is made again, from the logarithms that the forward pass has left. One kernel takes a tile of keys and passes over
// the queries that see them; it holds the transposes of P and dS, so that these go into their products from registers.
// Another takes a tile of queries and passes over the keys. That makes the scores twice, but each gradient is summed by
// one CTA in one order: its bits are the same in every run. dQ's sum goes over the keys of a row from the first tile
// that it sees to the last; those of dK and dV over queries likewise, head by head of those that share the keys.
//
// Where there is memory for dS, S x T numbers of 16 bits a head, the kernel of keys leaves it there, and dQ is a
// product of what lies there (attention_queries_of_scores): five products in place of seven, of the same sums in the
// same order.
#pragma once
#include <sectile/kernels/attention_form.hpp>

namespace sectile::kernels {

/// How many rows or columns of scores fit into a consumer's registers, beside gradients of `held` elements for each of
/// its 64 rows, if it has `parts` fragments of their size: a multiple of `step`, at most 128.
constexpr int scores_beside(int held, double parts, int step) {
  const int fit = static_cast<int>((212 - held / 2) / (parts / 2)) / step * step;
  return fit < 128 ? fit : 128;
}

/// Whether the gradients' kernels have a form. (A sink has no gradient here; that of its head's logarithms is what its
/// scores' are: -exp(sink - lse) * delta, summed over rows.)
template <attention_form Form>
constexpr bool has_gradients() {
  static_assert(
      Form.values == Form.dim && Form.dim <= 160,
      "attention's gradients: values are as wide as keys, which have at most 160 elements, or dK and dV do not "
      "fit into registers");
  return true;
}
/// Whether the scores' gradients can be kept: where a row sees all keys, or those up to its own number. There a tile of
/// 128 queries and 128 keys is left whole, or nobody asks for it.
template <attention_form Form, bool Keeps = true>
constexpr bool keeps_scores() {
  static_assert(!Keeps || (!Form.varlen && !Form.windowed() && !(Form.bounded() && Form.from_end)),
                "attention's gradients by way of dS: without varlen, windows and from_end");
  return Keeps;
}
constexpr configuration gradient_how(const attention_form& form, int queries, int keys, int stages) {
  configuration how{.tile = {{"S", queries}, {"T", keys}, {"D", form.dim}},
                    .stages = stages,
                    .consumers = 2,
                    .persistent = form.varlen,
                    .dynamic = form.varlen};
  if (form.grouped || form.slopes) how.tile.at3 = {"H", 1};
  if (form.varlen && form.bounded()) how.batches = 32;  // as forward
  return how;
}

/// What the other two want of each row: delta, the sum of dO * O, and offset, which makes P of scores in powers of two.
/// Packed rows are those of one batch: no row knows of another, nor of where its sequence ends.
template <attention_form Form, class T = bf16>
struct attention_delta {
  static constexpr bool grouped = has_gradients<Form>() && Form.counts_groups();
  static constexpr auto operands =
      sectile::operands(input<either<grouped>("O(B,G,H,S,D)", "O(B,H,S,D)"), T>(),
                        input<either<grouped>("dO(B,G,H,S,D)", "dO(B,H,S,D)"), T>(),
                        vector_input<either<grouped>("lse(B,G,H,S)", "lse(B,H,S)"), float>(),
                        vector_output<either<grouped>("delta(B,G,H,S)", "delta(B,H,S)"), float>(),
                        vector_output<either<grouped>("offset(B,G,H,S)", "offset(B,H,S)"), float>());
  static constexpr configuration how{
      .tile = {{"S", 128}, {"D", Form.dim}}, .stages = 2, .consumers = 2, .persistent = true};

  static constexpr void body(auto& sm, auto O, auto dO, auto lse, auto delta, auto offset) {
    const auto at = sm.tile_of(O);
    const auto o = cast<float>(in_registers(sm.load(O, at)));
    const auto sums = row_sum(o * cast<float>(in_registers(sm.load(dO, at)))).total();
    sm.store(offset, part_of(offset, at),
             map(sums, sm.load(lse, part_of(lse, at)), [](float, float x) { return x * -log2_e; }));
    sm.store(delta, part_of(delta, at), sums);
  }
};

/// Operands of the gradients' kernels. `scale` and what forms have besides are as attention_operands() says.
template <attention_form Form, class T, class... Outputs>
constexpr auto gradient_operands(vector_path rows, Outputs... outputs) {
  constexpr bool grouped = Form.grouped, of_group = Form.counts_groups();
  return sectile::operands(
      input<either<of_group>("Q(B,G,H,S,D)", "Q(B,H,S,D)"), T>(),
      input<either<grouped>("K(B,G,T,D)", "K(B,H,T,D)"), T>(), input<either<grouped>("V(B,G,T,D)", "V(B,H,T,D)"), T>(),
      input<either<of_group>("dO(B,G,H,S,D)", "dO(B,H,S,D)"), T>(),
      vector_input<either<of_group>("offset(B,G,H,S)", "offset(B,H,S)"), float>(rows),
      vector_input<either<of_group>("delta(B,G,H,S)", "delta(B,H,S)"), float>(rows), outputs...,
      scalar<"scale", float>(), when<Form.varlen>(group_ends<"query_ends(B)", "S">()),
      when<Form.varlen>(group_ends<"key_ends(B)", "T">()), when<Form.windowed()>(scalar<"left", int>()),
      when<Form.ends()>(scalar<"right", int>()), when<Form.capped>(scalar<"cap", float>()),
      when<Form.slopes>(vector_input<either<of_group>("slopes(G,H)", "slopes(H)"), float>()));
}

/// What both kernels make of tiles of scores or, if they are turned, of their transpose. (A function that makes
/// functions takes up to nine `auto`s: nvcc 13 breaks off at the tenth.)
template <attention_form Form, bool Turned, class Seen, class Scale, class Cap>
struct tiles_of_scores {
  Seen seen;
  Scale scale;
  Cap cap;

  /// From scores in `p` and dP in `ds` to P and to what P is multiplied by in dS. The tile is the one at (row, col),
  /// delta and offset are its queries', and of_head(slopes) is its head's. `hidden`: a query may not see one of the
  /// keys.
  constexpr void differentiate(auto& p, auto& ds, auto row, auto col, auto hidden, auto delta, auto offset, auto slopes,
                               const auto& of_head) const {
    const auto factor = select(Form.capped, cap * log2_e, scale);  // from scores to powers of two
    const auto visible = [*this](int r, int c) { return Turned ? seen(c, r) : seen(r, c); };
    const auto distance = [*this, factor](float, int r, int c) {
      return (Turned ? seen.distance(c, r) : seen.distance(r, c)) * (log2_e / factor);
    };
    if constexpr (Form.capped) {
      p = tanh(p * (scale / factor));
      ds = ds - delta;
      ds *= fma(-p, p, 1);
    }
    if constexpr (Form.slopes) p = fma(map_at(p, {row, col}, distance), of_head(slopes), p);
    p = exp2(fma(p, factor, offset));
    mask(p, {row, col}, hidden, visible, 0.0f);
  }
  /// Behind it, with what dV is made of P in between: dP, less delta, in place of dP.
  constexpr void center(auto& ds, auto delta) const {
    if constexpr (!Form.capped) ds -= delta;
  }
};
template <attention_form Form, bool Turned>
constexpr auto scores_of(auto seen, auto scale, auto cap) {
  return tiles_of_scores<Form, Turned, decltype(seen), decltype(scale), decltype(cap)>{seen, scale, cap};
}

/// A tile of keys of one head, and all queries that see them, of each head of its group. With `KeepsScores` it leaves
/// dS in memory as well, where some query of a tile sees some key, for attention_queries_of_scores.
template <attention_form Form, class T = bf16, bool KeepsScores = false>
struct attention_keys_backward {
  static constexpr bool grouped = has_gradients<Form>() && Form.grouped, keeps = keeps_scores<Form, KeepsScores>();
  static constexpr auto operands = gradient_operands<Form, T>(
      with_tiles, output<either<grouped>("dK(B,G,T,D)", "dK(B,H,T,D)"), T>(),
      output<either<grouped>("dV(B,G,T,D)", "dV(B,H,T,D)"), T>(),
      when<keeps>(trip_output<either<grouped>("dS(B,G,H,T,S)", "dS(B,H,T,S)"), T>(col_major)));
  static constexpr configuration how = [] {
    configuration c = gradient_how(Form, scores_beside(2 * Form.dim, 2.5, keeps ? 16 : 32), 128, keeps ? 2 : 3);
    if (keeps && Form.bounded()) c.batches = 8;  // the heaviest tiles of so many heads come first
    return c;
  }();

  static constexpr void body(auto& sm, auto Q, auto K, auto V, auto dO, auto offset, auto delta, auto... more) {
    constexpr int queries = extent<"S">(Q), keys = extent<"T">(K);
    const auto [dK, dV, dS, scale, query_ends, key_ends, left, right, cap, slopes] =
        given<true, true, keeps, true, Form.varlen, Form.varlen, Form.windowed(), Form.ends(), Form.capped,
              Form.slopes>(more...);
    const auto kept = dS;  // lambdas of clang 14 capture no binding
    const auto at = sm.tile_of(dK);
    const auto b = at.template get<0>();
    const auto h = at.template get<1>();
    const auto j = at.template get<2>();
    const auto seen = keys_seen<Form>(Q, K, left, right);
    const auto all = at_least_one(tiles<"S">(Q));
    const auto first = as<"S">(j * keys - seen.shift), last = first + keys - 1;  // the rows whose own keys these are
    const auto start = select(Form.bounded(), min(max(first - as<"S">(seen.behind), 0) / queries, all - 1), 0);
    const auto end = select(Form.windowed(), min((last + as<"S">(seen.before)) / queries + 1, all), all);
    const auto scores = scores_of<Form, true>(seen, scale, cap);
    auto k = sm.load(K, at);
    auto v = sm.load(V, at);
    auto dk = sm.accumulator(dK);
    auto dv = sm.accumulator(dV);
    const auto pass = [&](auto slope, auto begin, auto... head) {
      for (auto n : sm.pipelined(at_least_one(end - begin))) {
        const auto i = begin + n;
        const auto own = as<"T">(i * queries) + seen.shift;
        auto q = sm.load(Q, {b, head..., i, 0});
        auto o = sm.load(dO, {b, head..., i, 0});
        const auto delta_here = sm.load(delta, {b, head..., i});
        const auto offset_here = sm.load(offset, {b, head..., i});
        auto p = sm.accumulator(k * transpose(q));
        auto ds = sm.accumulator(v * transpose(o));
        const auto hidden = seen.hides(own, own + queries - 1, j * keys, (j + 1) * keys);
        scores.differentiate(p, ds, j, i, hidden, delta_here, offset_here, slope,
                             [&](auto x) { return sm.load(x, {head...}); });
        auto rounded = cast<T>(p);
        dv += rounded * o;
        scores.center(ds, delta_here);
        ds *= p;
        rounded = cast<T>(ds);
        if constexpr (keeps) sm.store(kept, {b, head..., j, i}, rounded);
        dk += rounded * q;
      }
    };
    if constexpr (Form.counts_groups()) {
      for (auto m : sm.pipelined(tiles<"H">(Q))) pass(slopes, start, h, m);
    } else if constexpr (Form.grouped) {
      const auto own = first_head_of_queries(Q, K, h), count = first_head_of_queries(Q, K, h + 1) - own;
      const auto begin = select(count > 0, start, all);  // where there is no row: some keys have no head of queries
      for (auto m : sm.pipelined(at_least_one(count))) pass(slopes, begin, min(own + m, size<"H">(Q) - 1));
    } else {
      pass(slopes, start, h);
    }
    dk *= scale * ln_2;
    sm.store(dV, at, dv);
    sm.store(dK, at, dk);
  }
};

/// dQ of what attention_keys_backward has left of the scores' gradients: a tile of queries, and all keys that they see,
/// in their order. (A tile of queries begins where a tile of keys does in the other kernel, and those here divide that:
/// what is read has been left.)
template <attention_form Form, class T = bf16>
struct attention_queries_of_scores {
  static constexpr bool grouped = has_gradients<Form>() && keeps_scores<Form>() && Form.grouped;
  static constexpr auto operands =
      sectile::operands(input<either<grouped>("dS(B,G,H,S,T)", "dS(B,H,S,T)"), T>(),
                        input<either<grouped>("K(B,G,T,D)", "K(B,H,T,D)"), T>(),
                        output<either<grouped>("dQ(B,G,H,S,D)", "dQ(B,H,S,D)"), T>(), scalar<"scale", float>());
  static constexpr configuration how = [] {
    configuration c{.tile = {{"S", 128}, {"T", 64}, {"D", Form.dim}}, .stages = 6, .consumers = 2};
    c.rows = Form.bounded() ? traversal::reversed : traversal::forward;
    return c;
  }();

  static constexpr void body(auto& sm, auto dS, auto K, auto dQ, auto scale) {
    constexpr int row_mode = grouped ? 3 : 2;
    const auto at = sm.tile_of(dQ);
    const auto b = at.template get<0>();
    const auto h = at.template get<1>();
    const auto i = at.template get<row_mode>();
    const auto all = at_least_one(tiles<"T">(K));
    const auto last = as<"T">((i + 1) * extent<"S">(dQ)) - 1;  // the last row's own key
    const auto end = select(Form.bounded(), min(last / extent<"T">(K) + 1, all), all);
    auto dq = sm.accumulator(dQ);
    for (auto j : sm.pipelined(at_least_one(end))) {
      auto k = sm.load(K, {b, h, j, 0});
      if constexpr (grouped)
        dq += sm.load(dS, {b, h, at.template get<2>(), i, j}) * k;
      else
        dq += sm.load(dS, {b, h, i, j}) * k;
    }
    sm.store(dQ, at, dq * (scale * ln_2));
  }
};

/// A tile of queries of one head, and all keys that they see.
template <attention_form Form, class T = bf16>
struct attention_queries_backward {
  static constexpr bool grouped = has_gradients<Form>() && Form.counts_groups();
  static constexpr auto operands =
      gradient_operands<Form, T>(from_memory, output<either<grouped>("dQ(B,G,H,S,D)", "dQ(B,H,S,D)"), T>());
  static constexpr configuration how = [] {
    configuration c = gradient_how(Form, 128, scores_beside(Form.dim, 2.5, 32), 2);
    c.pingpong = true;
    c.rows = Form.mask == attention_mask::causal ? traversal::reversed : traversal::forward;
    return c;
  }();

  static constexpr void body(auto& sm, auto Q, auto K, auto V, auto dO, auto offset, auto delta, auto... more) {
    constexpr bool bounded = Form.bounded(), windowed = Form.windowed();
    constexpr int queries = extent<"S">(Q), keys = extent<"T">(K), row_mode = Form.counts_groups() ? 3 : 2;
    const auto [dQ, scale, query_ends, key_ends, left, right, cap, slopes] =
        given<true, true, Form.varlen, Form.varlen, windowed, Form.ends(), Form.capped, Form.slopes>(more...);
    const auto at = sm.tile_of(dQ);
    const auto b = at.template get<0>();
    const auto h = head_of_keys<Form>(Q, K, at.template get<1>());
    const auto i = at.template get<row_mode>();
    const auto seen = keys_seen<Form>(Q, K, left, right);
    const auto all = at_least_one(tiles<"T">(K));
    const auto first = as<"T">(i * queries) + seen.shift, last = first + queries - 1;  // this tile's rows' own keys
    const auto start = select(windowed, min(max(first - seen.before, 0) / keys, all - 1), 0);
    const auto end = select(bounded, min((last + seen.behind) / keys + 1, all), all);
    const auto scores = scores_of<Form, false>(seen, scale, cap);
    const auto here = [&](auto x) { return sm.load(x, part_of(x, at)); };
    const auto delta_here = in_registers(here(delta));
    const auto offset_here = in_registers(here(offset));
    auto q = sm.load(Q, at);
    auto o = sm.load(dO, part_of(dO, at));
    auto dq = sm.accumulator(dQ);
    for (auto n : sm.pipelined(at_least_one(end - start))) {
      const auto j = start + n;
      auto k = sm.load(K, {b, h, j, 0});
      auto p = sm.accumulator(q * transpose(k));
      auto ds = sm.accumulator(o * transpose(sm.load(V, {b, h, j, 0})));
      scores.differentiate(p, ds, i, j, seen.hides(first, last, j * keys, (j + 1) * keys), delta_here, offset_here,
                           slopes, here);
      scores.center(ds, delta_here);
      ds *= p;
      dq += cast<T>(ds) * k;
    }
    sm.store(dQ, at, dq * (scale * ln_2));
  }
};

}  // namespace sectile::kernels
