// A scalar reference for every row of the instruction table: one element of D at a time, in plain integer arithmetic,
// written apart from the model so that the two can be held against each other. What is not settled by any document is a
// field of `rule`, so that other answers can be tried on results of the hardware.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <sectile/dsl/plan/instruction_table.hpp>
#include <vector>

namespace sectile::conformance {

/// How floats are summed. The defaults are the answers that hold.
struct rule {
  const char* name = "as stated";
  int aligned_bits = 25;             // fractional bits that a term keeps at the largest exponent
  int kept_bits = 23;                // of the result
  bool to_nearest = false;           // the sum is rounded to nearest even, not cut
  int precut_bits = 0;               // if > 0, a sum to be rounded is first cut to so many fractional bits
  int alignment_floor = 7;           // terms never line up lower than so many below D's smallest exponent
  bool zero_products_align = false;  // a zero has its format's smallest exponent and takes part in the maximum
  bool zero_c_aligns = false;
  bool overflow_to_largest = false;  // not to infinity
  bool keeps_negative_zero = false;  // a sum of nothing but -0 is -0
  bool negative_when_cut_to_zero = false;
  bool flush_results = false, flush_c = false, flush_inputs = false;  // subnormals are zero
  bool normalizes_products = false;                                   // a product in [2, 4) has the next exponent
  bool normalizes_subnormals = false;
  int steps = 1;  // products are summed in so many runs, the result of one being C of the next
  std::uint32_t nan = 0x7fff'ffff;
  std::uint32_t nan16 = 0x7fff;
};

/// The rule of a family, as the table has it.
inline rule rule_of(const instruction_family& f) {
  rule r;
  r.aligned_bits = f.aligned_bits;
  r.kept_bits = f.kept_bits;
  r.to_nearest = f.sum == summation::rounded;
  return r;
}

enum class kind : std::uint8_t { finite, infinite, nan };

/// A number: significand * 2^unit, with the exponent at which it is aligned.
struct term {
  std::int64_t significand = 0;
  int unit = 0;
  int exponent = 0;
  conformance::kind kind = conformance::kind::finite;
  bool negative = false;
};

/// Bits up to the leading one.
inline int width_of(std::int64_t x) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::abs(x))));
}

inline int smallest_exponent(const element& e) { return 2 - (1 << (e.exponent_bits - 1)); }

/// The number that the bits of a floating-point element stand for. Of tf32 only the upper 19 bits count.
inline term decode(const element& e, std::uint32_t bits, const rule& r, bool flush) {
  bits >>= e.bits - 1 - e.exponent_bits - e.mantissa_bits;
  const std::uint32_t top = (1u << e.exponent_bits) - 1, ones = (1u << e.mantissa_bits) - 1;
  const std::uint32_t fraction = bits & ones, field = bits >> e.mantissa_bits & top;
  term t;
  t.negative = (bits >> (e.mantissa_bits + e.exponent_bits) & 1) != 0;
  if (field == top && e.exponent_bits == 4) {  // e4m3 has one NaN and no infinity
    if (fraction == ones) t.kind = kind::nan;
  } else if (field == top) {
    t.kind = fraction == 0 ? kind::infinite : kind::nan;
  }
  const int bias = (1 << (e.exponent_bits - 1)) - 1;
  t.exponent = field == 0 ? smallest_exponent(e) : static_cast<int>(field) - bias;
  t.unit = t.exponent - e.mantissa_bits;
  t.significand = field == 0 ? (flush ? 0 : fraction) : fraction | (ones + 1);
  if (r.normalizes_subnormals && field == 0 && t.significand != 0) t.exponent = width_of(t.significand) - 1 + t.unit;
  if (t.negative) t.significand = -t.significand;
  return t;
}

inline term multiply(const term& x, const term& y, const rule& r) {
  term t{x.significand * y.significand, x.unit + y.unit, x.exponent + y.exponent, kind::finite,
         x.negative != y.negative};
  const auto zero = [](const term& z) { return z.kind == kind::finite && z.significand == 0; };
  if (x.kind != kind::finite || y.kind != kind::finite) {
    const bool bad = x.kind == kind::nan || y.kind == kind::nan || zero(x) || zero(y);
    t.kind = bad ? kind::nan : kind::infinite;
  } else if (r.normalizes_products && t.significand != 0) {
    t.exponent = width_of(t.significand) - 1 + t.unit;
  }
  return t;
}

/// sum * 2^unit as the bits of an f32 or f16.
inline std::uint32_t encode(const element& e, std::int64_t sum, int unit, const rule& r) {
  const std::uint32_t sign = sum < 0 ? 1u << (e.bits - 1) : 0;
  std::int64_t magnitude = std::abs(sum);
  if (magnitude == 0) return 0;
  const auto exponent_of = [&] { return std::max(width_of(magnitude) - 1 + unit, smallest_exponent(e)); };
  const auto drop = [&](int bits, bool nearest) {
    if (bits <= 0) return;
    const std::int64_t old = magnitude;
    magnitude = bits > 62 ? 0 : old >> bits;
    unit += bits;
    if (!nearest || bits > 62) return;
    const std::int64_t rest = old - (magnitude << bits), half = std::int64_t{1} << (bits - 1);
    magnitude += rest > half || (rest == half && (magnitude & 1)) ? 1 : 0;
  };
  if (r.precut_bits > 0) drop(width_of(magnitude) - 1 - r.precut_bits, false);
  drop(exponent_of() - r.kept_bits - unit, r.to_nearest);
  if (magnitude == 0) return r.negative_when_cut_to_zero ? sign : 0;

  const int exponent = exponent_of();
  const int bias = 1 - smallest_exponent(e);
  const std::uint32_t infinity = ((1u << e.exponent_bits) - 1) << e.mantissa_bits;
  if (exponent > bias) return sign | (infinity - (r.overflow_to_largest ? 1 : 0));
  // Brought to the format's unit; the leading one adds 1 to the exponent field, and a subnormal has none.
  const int left = unit - (exponent - e.mantissa_bits);
  const auto whole = static_cast<std::uint32_t>(left >= 0 ? magnitude << left : magnitude >> -left);
  if (r.flush_results && whole >> e.mantissa_bits == 0) return 0;
  return sign + (static_cast<std::uint32_t>(exponent - smallest_exponent(e)) << e.mantissa_bits) + whole;
}

/// The sum of count terms, the first of which is C, as bits of an element of D.
inline std::uint32_t sum_of(const term* terms, int count, const element& d, const rule& r) {
  int largest = smallest_exponent(d) - r.alignment_floor;
  bool nan = false, plus = false, minus = false, all_negative = true;
  for (int i = 0; i < count; ++i) {
    const term& t = terms[i];
    nan |= t.kind == kind::nan;
    if (t.kind == kind::infinite) (t.negative ? minus : plus) = true;
    const bool counts = t.significand != 0 || (i == 0 ? r.zero_c_aligns : r.zero_products_align);
    if (counts) largest = std::max(largest, t.exponent);
    all_negative &= t.negative && t.significand == 0;
  }
  if (nan || (plus && minus)) return d.bits == 16 ? r.nan16 : r.nan;
  const std::uint32_t infinity = ((1u << d.exponent_bits) - 1) << d.mantissa_bits;
  if (plus || minus) return infinity | (minus ? 1u << (d.bits - 1) : 0);
  if (all_negative && r.keeps_negative_zero) return 1u << (d.bits - 1);

  const int unit = largest - r.aligned_bits;
  std::int64_t sum = 0;
  bool below_zero = false;
  for (int i = 0; i < count; ++i) {
    const term& t = terms[i];
    const int right = unit - t.unit;
    const std::int64_t magnitude = std::abs(t.significand);
    const std::int64_t kept = right <= 0 ? magnitude << -right : right > 62 ? 0 : magnitude >> right;
    sum += t.significand < 0 ? -kept : kept;
    below_zero |= t.significand < 0;
  }
  if (sum == 0) return below_zero && r.negative_when_cut_to_zero ? 1u << (d.bits - 1) : 0;
  return encode(d, sum, unit, r);
}

/// All that one instruction reads. Elements are bit patterns; of one-bit types a pattern is eight of them.
struct problem {
  wgmma_instruction w;
  bool accumulate;
  std::vector<std::uint32_t> a;      // 64 rows of stored() elements
  std::vector<std::uint32_t> b;      // n rows of inner() elements
  std::vector<std::uint8_t> kept;    // sparse: 64 rows; the logical column of each stored element
  std::vector<std::uint8_t> nibble;  // sparse: 64 rows of groups() metadata nibbles
  std::vector<std::uint32_t> c;      // 64 rows of n

  int element_bytes() const { return std::max(w.a.bits / 8, 1); }
  int stored() const { return 32 / element_bytes(); }
  int inner() const { return w.sparse ? 2 * stored() : stored(); }
  int groups() const { return w.a.bits == 32 ? stored() : stored() / 2; }
};

/// The numbers of a problem taken apart once.
struct prepared {
  const problem& p;
  std::vector<term> a, b;

  prepared(const problem& from, const rule& r) : p(from) {
    if (p.w.a.kind != number::floating) return;
    const auto take = [&](const element& e, const std::vector<std::uint32_t>& bits, bool negate) {
      std::vector<term> out;
      out.reserve(bits.size());
      for (const std::uint32_t x : bits) {
        term t = decode(e, x, r, r.flush_inputs);
        if (negate) {
          t.significand = -t.significand;
          t.negative = !t.negative;
        }
        out.push_back(t);
      }
      return out;
    };
    a = take(p.w.a, p.a, p.w.negate_a);
    b = take(p.w.b, p.b, p.w.negate_b);
  }

  int column(int row, int s) const { return p.w.sparse ? p.kept[static_cast<std::size_t>(row * p.stored() + s)] : s; }
  const term& a_at(int row, int s) const { return a[static_cast<std::size_t>(row * p.stored() + s)]; }
  const term& b_at(int col, int k) const { return b[static_cast<std::size_t>(col * p.inner() + k)]; }

  std::uint32_t float_element(int row, int col, const rule& r) const {
    term terms[33];
    const int products = p.stored(), run = products / r.steps;
    std::uint32_t c = p.accumulate ? p.c[static_cast<std::size_t>(row * p.w.n + col)] : 0;
    for (int first = 0; first < products; first += run) {
      terms[0] = decode(p.w.d, c, r, r.flush_c);
      for (int s = 0; s < run; ++s) terms[s + 1] = multiply(a_at(row, first + s), b_at(col, column(row, first + s)), r);
      c = sum_of(terms, run + 1, p.w.d, r);
    }
    return c;
  }

  std::uint32_t integer_element(int row, int col) const {
    std::int64_t sum = p.accumulate ? static_cast<std::int32_t>(p.c[static_cast<std::size_t>(row * p.w.n + col)]) : 0;
    for (int s = 0; s < p.stored(); ++s) {
      const std::uint32_t x = p.a[static_cast<std::size_t>(row * p.stored() + s)];
      const std::uint32_t y = p.b[static_cast<std::size_t>(col * p.inner() + column(row, s))];
      const auto value = [](const element& e, std::uint32_t v) {
        return e.kind == number::signed_integer ? static_cast<std::int8_t>(v) : static_cast<int>(v);
      };
      sum += p.w.a.kind == number::bits ? std::popcount(x & y) : value(p.w.a, x) * value(p.w.b, y);
    }
    if (p.w.saturate) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
    return static_cast<std::uint32_t>(sum);
  }

  /// Element (row, col) of D.
  std::uint32_t element_at(int row, int col, const rule& r) const {
    return p.w.a.kind == number::floating ? float_element(row, col, r) : integer_element(row, col);
  }
};

/// Rows of D, `last` not among them.
struct row_range {
  int first = 0, last = 64;
};

/// D by the family's rule: 64 rows of n, of which those outside `rows` are left zero.
inline std::vector<std::uint32_t> reference_answer(const problem& p, row_range rows = {}) {
  const rule r = rule_of(family_of(p.w));
  const prepared x(p, r);
  std::vector<std::uint32_t> d(static_cast<std::size_t>(64 * p.w.n));
  for (int i = rows.first * p.w.n; i < rows.last * p.w.n; ++i)
    d[static_cast<std::size_t>(i)] = x.element_at(i / p.w.n, i % p.w.n, r);
  return d;
}

}  // namespace sectile::conformance
