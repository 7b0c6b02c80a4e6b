// What there is to attention besides softmax(Q K^T / sqrt(D)) V: its forms, and what each form's operands are.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels {

inline constexpr float log2_e = 1.44269504f, ln_2 = 0.693147181f;

/// What two parts of a softmax are together: of each row the largest exponent, the sum of powers, and what these weigh.
inline constexpr auto softmax_of_both = [](auto& m1, auto& sum1, auto& o1, auto& m2, auto& sum2, auto& o2) {
  const auto grown = max(m1, m2);
  const auto shrink = exp2(m1 - grown), weight = exp2(m2 - grown);
  m1 = grown;
  sum1 = sum1 * shrink + sum2 * weight;
  o1 = fma(o2, weight, o1 * shrink);
};

/// Which keys a row sees: all; those up to its own; those from `left` before its own to `right` behind it; those from
/// `left` before its own up to it.
enum class attention_mask : std::uint8_t { none, causal, window, causal_window };

/// Row i's own key is key i or, from the end, key i + T - S.
struct attention_form {
  int dim = 128, values = dim;  // elements of a key, and of a value
  attention_mask mask = attention_mask::none;
  bool from_end = false;  // the last row's own key is the last key
  bool grouped = false;   // G groups of H heads, which have one head of keys and values each (GQA; MQA: G = 1)
  bool lse = false;     // stores the natural logarithm of each row's sum of exponentials, -infinity if it sees nothing
  bool sinks = false;   // each head has a logit that counts in the sums, without a value
  bool capped = false;  // a score s becomes cap * tanh(s / cap)
  bool slopes = false;  // of each head: off a score times the distance to the row's own key (ALiBi)
  bool varlen = false;  // sequences of any length, one behind the other, whose ends two vectors in device memory say
  bool drawn = false;   // CTAs draw their tiles, heavy ones first; a launch takes a workspace, of a few bytes
  bool brief = false;   // sequences of up to some 1,024 rows, D up to 64: smaller tiles, of which a mask hides less
  bool counted = false;  // of a row's keys as many are there as a vector in device memory says (decode.hpp)
  int parts = 1;         // CTAs that share the keys of a row
  bool paged = false;   // keys and values lie anywhere, and a vector in device memory says where

  /// Whether queries have a mode of groups of heads. (Tensor maps of packed ones have no room for it: there H heads
  /// have G of keys among themselves, in order.)
  constexpr bool counts_groups() const { return grouped && !varlen; }

  constexpr bool bounded() const { return mask != attention_mask::none; }
  constexpr bool windowed() const { return mask >= attention_mask::window; }
  constexpr bool ends() const { return mask == attention_mask::window; }  // the window has a right end of its own
  constexpr bool may_see_nothing() const {
    return varlen || counted || parts > 1 || windowed() || (bounded() && from_end);
  }

  /// Who makes a heavy tile draws fewer: of a mask's tiles, and of those of long sequences.
  constexpr bool draws() const { return varlen || drawn; }

  /// Where CTAs walk, the next tile's queries are loaded under this one's products, if there is room; 0: as it comes.
  constexpr int stages_of_queries() const { return !counted && dim <= 128 ? 2 : 0; }

  /// Tiles as large as shared memory and registers take, of elements of so many bits.
  constexpr configuration how(int bits = 16) const {
    if (counted)  // few rows, and many keys: as much of them on their way as there is room for
      return {.tile = {{"S", 64}, {"T", 128}, {"D", dim}},
              .stages = dim <= 64 ? 6 : 3,
              .consumers = 1,
              .persistent = parts == 1 && !paged,  // CTAs that walk copy rows at a third of the rate
              .split = parts,
              .overlap = launch_overlap::both};
    const int queries = dim <= 64 && !capped && !slopes && !brief ? 192 : 128;
    const int wide = dim <= 128 || (dim <= 192 && values <= 128) ? 128 : dim <= 192 ? 96 : 64;
    const int of_8_bits = dim <= 64 ? 160 : dim > 128 ? 128 : bounded() ? 192 : 224;
    const int keys = bits == 8 ? of_8_bits : wide;
    configuration c{.tile = {{"S", queries}, {"T", keys}, {"D", dim}},
                    .stages = brief ? 3 : 2,
                    .consumers = queries / 64,
                    // Masked tiles differ in weight, and what bends the widest ones fills the registers.
                    .persistent = draws() || (!bounded() && (dim < 256 || !(capped || slopes))),
                    .pingpong = true,
                    .full_turns = bits == 8 && dim == 128,  // raced for these
                    .rows = mask == attention_mask::causal ? traversal::reversed : traversal::forward};
    c.dynamic = draws();
    // The heaviest tiles of some heads come first, and what these read of K and V stays in L2.
    if (mask == attention_mask::causal || (draws() && bounded())) c.batches = draws() ? 32 : 8;
    if (values != dim) c.tile.at3 = {"E", values};
    if (sinks || slopes || bits == 8) c.tile.at4 = {"H", 1};
    if (grouped && bits == 8) c.tile.at5 = {"G", 1};
    return c;
  }
};

/// Which keys the rows of a form see, by numbers that a run decides: row r's own key is r + shift, and of `length` keys
/// it sees those from `before` before its own to `behind` behind it, if the form has these bounds.
template <attention_form Form, class Length, class Shift, class Before, class Behind>
struct keys_that_rows_see {
  Length length;
  Shift shift;
  Before before;
  Behind behind;

  /// The same up to key `end`, which need not be there.
  constexpr auto until(auto end) const {
    const auto least = min(length, end);
    return keys_that_rows_see<Form, decltype(least), Shift, Before, Behind>{least, shift, before, behind};
  }
  constexpr auto operator()(int r, int c) const {
    return c < length && (!Form.bounded() || c <= r + shift + behind) && (!Form.windowed() || c >= r + shift - before);
  }
  /// From row r's own key to key c, below 0.
  constexpr auto distance(int r, int c) const { return min(c - r - shift, r + shift - c); }
  /// Whether one of some rows, with own keys from `first` to `last`, does not see one of the keys from `key` up to
  /// `end`.
  constexpr auto hides(auto first, auto last, auto key, auto end) const {
    return end > length || (Form.bounded() && end - 1 > first + behind) || (Form.windowed() && key < last - before);
  }
};
template <attention_form Form>
constexpr auto keys_seen(auto Q, auto K, auto left, auto right) {
  const auto length = size<"T">(K);
  const auto shift = select(Form.from_end, length - as<"T">(size<"S">(Q)), 0);
  const auto before = select(Form.windowed(), left, 0);
  const auto behind = select(Form.ends(), right, 0);
  return keys_that_rows_see<Form, decltype(length), decltype(shift), decltype(before), decltype(behind)>{
      length, shift, before, behind};
}

/// Elements of 8 bits: each head of keys has a scale, and the result is bf16.
template <class T>
inline constexpr bool is_scaled = element_of<T>().bits == 8;
template <class T>
using attention_output = std::conditional_t<is_scaled<T>, bf16, T>;
/// Probabilities are rounded to T as powers of two up to this one, so that small ones keep their digits: e4m3 ends at
/// 448. Sums have the same factor, which a division takes out.
template <class T>
inline constexpr float probability_exponent = is_scaled<T> ? 8 : 0;
/// Whether attention of elements of T has a form.
template <attention_form Form, class T>
constexpr bool has_form() {
  constexpr bool right =
      !is_scaled<T> || (std::is_same_v<T, e4m3> && !Form.varlen && !Form.capped && !Form.slopes && !Form.counted);
  static_assert(right,
                "attention of 8 bits: of e4m3, without varlen, capped, slopes and counted; cast such ones to bf16");
  return right;
}
/// Keys or values: as they lie, or picked by what `slot` says.
template <bool Paged, name_literal Name, class T>
constexpr auto keys_or_values(storage_order order = row_major) {
  if constexpr (Paged)
    return gathered_input<Name, T, "slot">();
  else
    return input<Name, T>(order);
}

/// scale: log2(e) / sqrt(D), above 0: powers of two are cheaper than of e. left, right: up to 2^30 keys. cap, above 0,
/// sinks and slopes are natural, as scores are that are divided by sqrt(D). Of sequences of any length a launch is
/// given tensors without B: Q(H,S,D) with the rows of all of them, and likewise lse(H,S); in whatever order they lie in
/// memory. Of 8 bits `scale` has a number for each batch and head of keys: log2(e) / sqrt(D) times what elements of Q
/// and of K are to be multiplied by; value_scale what those of V are. Their wgmma takes V with keys side by side in
/// memory alone: B x H x D x T (kernels/turned_values.hpp makes it of B x H x T x D).
template <attention_form Form, class T>
constexpr auto attention_operands() {
  constexpr bool grouped = Form.grouped, of_group = Form.counts_groups(), wide = Form.values != Form.dim;
  static_assert(
      !Form.counted || (!Form.grouped && !Form.varlen && !Form.bounded() && !Form.slopes && !Form.sinks),
      "attention of counted keys: H counts heads of keys, whose rows are heads of one token, and see the same "
      "keys; so there are no groups, no masks, no slopes and no sinks");
  static_assert(!Form.brief || Form.dim <= 64, "attention of brief sequences has other tiles where D is 64 at most");
  static_assert((Form.parts == 1 && !Form.paged) || Form.counted,
                "attention in parts, or of paged keys, is of counted ones: .counted = true");
  if constexpr (!has_form<Form, T>())
    return wrong_operands{};  // and the compiler has said why
  else
    return sectile::operands(
        with_stages(Form.stages_of_queries(), input<either<of_group>("Q(B,G,H,S,D)", "Q(B,H,S,D)"), T>()),
        keys_or_values<Form.paged, either<grouped>("K(B,G,T,D)", "K(B,H,T,D)"), T>(),
        keys_or_values<Form.paged,
                       either<grouped>(wide ? "V(B,G,T,E)" : "V(B,G,T,D)", wide ? "V(B,H,T,E)" : "V(B,H,T,D)"), T>(
            is_scaled<T> ? col_major : row_major),
        output<either<of_group>(wide ? "O(B,G,H,S,E)" : "O(B,G,H,S,D)", wide ? "O(B,H,S,E)" : "O(B,H,S,D)"),
               attention_output<T>>(),
        when<!is_scaled<T>>(scalar<"scale", float>()),
        when<is_scaled<T>>(vector_input<either<grouped>("scale(B,G)", "scale(B,H)"), float>()),
        when<Form.varlen>(group_ends<"query_ends(B)", "S">()), when<Form.varlen>(group_ends<"key_ends(B)", "T">()),
        when<Form.counted>(group_counts<"lengths(B)", "T">()), when<Form.paged>(vector_input<"slot(B,T)", s32>()),
        when<Form.lse>(vector_output<either<of_group>("lse(B,G,H,S)", "lse(B,H,S)"), float>()),
        when<Form.sinks>(vector_input<either<of_group>("sinks(G,H)", "sinks(H)"), float>()),
        when<Form.windowed()>(scalar<"left", int>()), when<Form.ends()>(scalar<"right", int>()),
        when<Form.capped>(scalar<"cap", float>()),
        when<Form.slopes>(vector_input<either<of_group>("slopes(G,H)", "slopes(H)"), float>()),
        when<is_scaled<T>>(vector_input<either<grouped>("value_scale(B,G)", "value_scale(B,H)"), float>()));
}

/// Which keys the rows of a part see, of which the last is in front of key `end`.
template <attention_form Form>
constexpr auto seen_until(auto seen, auto end) {
  if constexpr (Form.counted)
    return seen.until(end);
  else
    return seen;
}

/// The head of keys that a head of queries has.
template <attention_form Form>
constexpr auto head_of_keys(auto Q, auto K, auto head) {
  if constexpr (Form.grouped && Form.varlen)
    return as<"G">(head) * size<"G">(K) / as<"G">(size<"H">(Q));
  else
    return head;
}
/// The first of the heads of queries that a head of keys has, where packed ones share them.
constexpr auto first_head_of_queries(auto Q, auto K, auto head) {
  const auto groups = as<"H">(size<"G">(K));
  return (as<"H">(head) * size<"H">(Q) + groups - 1) / groups;
}

}  // namespace sectile::kernels
