// The arithmetic of Hopper's wgmma on floats, bit for bit.
//
// A tensor core does not compute a chain of IEEE additions. For one output element it takes all K products of one
// instruction and the accumulator C, lines them up at the largest exponent among them, cuts every term off below a
// fixed number of fractional bits, adds what is left exactly, and rounds the sum once: toward zero if D is f32, to
// nearest even if it is f16. How many bits are kept is in the table of instructions (plan/instruction_table.hpp).
// `dot_accumulate` says this in plain integer arithmetic and is meant to be read; `multiply_accumulate` computes the
// same bits, a tile at a time and fast, for the simulator.
//
// The rule is the one published as MMA-Sim (github.com/microsoft/MMA-Sim) and agrees with Khattak and Mikaitis,
// arXiv 2512.07004. An H100 was compared with it on 8 million outputs of bf16, f16, tf32, e4m3 and e5m2 with f32
// accumulators: no bit differed. Its corners were found by running all instructions: see "corners" below.
#pragma once

#include <bit>
#include <cstdint>

#include <sectile/dsl/plan/instruction_table.hpp>

namespace sectile::model {

/// What the largest exponent field of a format is used for.
enum class top_exponent : std::uint8_t {
  infinity_and_nan,  ///< as in IEEE 754
  one_nan,           ///< ordinary numbers, except that all ones is NaN; there is no infinity (e4m3)
};

/// A binary floating-point format: sign, exponent, fraction, from the most significant bit down.
struct number_format {
  int storage_bits;   ///< bits of one element in memory
  int exponent_bits;  ///< width of the exponent field; the bias is 2^(exponent_bits - 1) - 1
  int fraction_bits;  ///< width of the stored fraction
  int ignored_bits;   ///< low bits of the storage that the tensor core drops (tf32)
  top_exponent top;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }

  friend constexpr bool operator==(const number_format&, const number_format&) = default;
};

/// The format of a floating-point element type.
constexpr number_format format_of(const element& e) {
  return {e.bits, e.exponent_bits, e.mantissa_bits, e.bits - 1 - e.exponent_bits - e.mantissa_bits,
          e.exponent_bits == 4 ? top_exponent::one_nan : top_exponent::infinity_and_nan};
}

inline constexpr number_format f32_format = format_of(element_of<f32>());
inline constexpr number_format tf32_format = format_of(element_of<tf32>());
inline constexpr number_format f16_format = format_of(element_of<f16>());
inline constexpr number_format bf16_format = format_of(element_of<bf16>());
inline constexpr number_format e4m3_format = format_of(element_of<e4m3>());
inline constexpr number_format e5m2_format = format_of(element_of<e5m2>());

/// Products that one wgmma adds up, dense or sparse: a row of A, as it is stored, is always 32 bytes.
constexpr int instruction_k(const number_format& format) { return 256 / format.storage_bits; }

/// How an instruction sums: its row of the table.
struct accumulation {
  number_format d;   ///< of C and D: f32 or f16
  summation sum;     ///< truncated or rounded
  int aligned_bits;  ///< fractional bits every term keeps, counted at the largest exponent
  int kept_bits;     ///< fractional bits of the result that can be non-zero

  friend constexpr bool operator==(const accumulation&, const accumulation&) = default;
};

constexpr accumulation accumulation_of(const instruction_family& f) {
  return {format_of(f.d), f.sum, f.aligned_bits, f.kept_bits};
}

/// Of the instruction that multiplies these formats. Precondition: there is one.
constexpr accumulation accumulation_of(const number_format& a, const number_format& b, const number_format& d) {
  constexpr instruction_table table = wgmma_table();
  for (const instruction_family& f : table.at)
    if (format_of(f.a) == a && format_of(f.b) == b && format_of(f.d) == d) return accumulation_of(f);
  return {};
}

enum class number_kind : std::uint8_t { zero, finite, infinite, nan };

/// A number taken apart. If it is finite, its magnitude is significand * 2^(exponent - fraction_bits). The significand
/// is not normalised: that of a subnormal is below 1 at the format's smallest exponent, that of a product below 4.
struct number {
  number_kind kind;
  bool negative;
  std::uint64_t significand;
  int fraction_bits;
  int exponent;
};

/// The number that the low `format.storage_bits` of `bits` stand for. tf32 is cut before it is looked at, so a NaN
/// whose payload lies in the ignored bits is an infinity.
constexpr number decode(const number_format& format, std::uint32_t bits) {
  const std::uint32_t kept = bits >> format.ignored_bits;
  const std::uint32_t top_field = (1u << format.exponent_bits) - 1;
  const std::uint32_t all_ones = (1u << format.fraction_bits) - 1;
  const std::uint32_t fraction = kept & all_ones;
  const std::uint32_t field = (kept >> format.fraction_bits) & top_field;
  const bool negative = ((kept >> (format.fraction_bits + format.exponent_bits)) & 1u) != 0;

  number x{number_kind::finite, negative, fraction, format.fraction_bits, 1 - format.bias()};
  if (field == top_field && format.top == top_exponent::infinity_and_nan) {
    x.kind = fraction == 0 ? number_kind::infinite : number_kind::nan;
  } else if (field == top_field && fraction == all_ones) {
    x.kind = number_kind::nan;
  } else if (field != 0) {
    x.significand |= std::uint64_t{1} << format.fraction_bits;
    x.exponent = static_cast<int>(field) - format.bias();
  } else if (fraction == 0) {
    x.kind = number_kind::zero;
  }
  return x;
}

/// The exact product, not renormalised: significands multiply, exponents add.
constexpr number multiply(const number& x, const number& y) {
  const auto either = [&](number_kind kind) { return x.kind == kind || y.kind == kind; };
  number_kind kind = number_kind::finite;
  if (either(number_kind::nan) || (either(number_kind::infinite) && either(number_kind::zero))) {
    kind = number_kind::nan;
  } else if (either(number_kind::infinite)) {
    kind = number_kind::infinite;
  } else if (either(number_kind::zero)) {
    kind = number_kind::zero;
  }
  return {kind, x.negative != y.negative, x.significand * y.significand, x.fraction_bits + y.fraction_bits,
          x.exponent + y.exponent};
}

/// A finite term as a whole number of units 2^(largest_exponent - aligned_bits), truncated toward zero.
/// Precondition: x.exponent <= largest_exponent.
constexpr std::int64_t align(const number& x, int largest_exponent, int aligned_bits) {
  const int left = (x.exponent - x.fraction_bits) - (largest_exponent - aligned_bits);
  std::uint64_t magnitude = 0;
  if (left >= 0) {
    magnitude = x.significand << left;
  } else if (left > -64) {
    magnitude = x.significand >> -left;
  }
  const auto units = static_cast<std::int64_t>(magnitude);
  return x.negative ? -units : units;
}

// ---- corners: what no document says. An H100 decided each.

/// Any NaN among the terms, infinities of both signs, or 0 * inf: all bits but the sign (0x7fffffff or 0x7fff).
constexpr std::uint32_t nan_result(const number_format& d) { return (1u << (d.storage_bits - 1)) - 1; }

/// An infinity among the terms.
constexpr std::uint32_t infinite_result(const number_format& d, bool negative) {
  const std::uint32_t magnitude = ((1u << d.exponent_bits) - 1) << d.fraction_bits;
  return (negative ? 1u << (d.storage_bits - 1) : 0u) | magnitude;
}

/// A finite sum that D cannot hold: an infinity. Truncation in the IEEE sense would stop at the largest finite number.
constexpr std::uint32_t overflowed_result(const number_format& d, bool negative) {
  return infinite_result(d, negative);
}

/// A sum of zero, or one that becomes zero when it is rounded: +0, even if C = -0 is the only term and even if the sum
/// was below zero.
constexpr std::uint32_t zero_result(const number_format&, bool /*sum_is_negative*/) { return 0; }

/// Whether a term has an exponent that counts for the largest. A zero has none, be it a product or C; a zero that
/// sparse A does not store is not even a term.
constexpr bool joins_alignment(const number& x) { return x.kind == number_kind::finite; }

/// Terms never line up below this exponent, seven below D's smallest: -133 for f32, -21 for f16. It shows where all
/// products are far below what D can hold and C is zero.
constexpr int least_alignment(const number_format& d) { return 1 - d.bias() - 7; }

// ---- the rule

/// sum * 2^unit_exponent as bits of D, subnormals included.
constexpr std::uint32_t round_result(const accumulation& keep, std::int64_t sum, int unit_exponent) {
  const bool negative = sum < 0;
  if (sum == 0) return zero_result(keep.d, false);
  auto magnitude = static_cast<std::uint64_t>(negative ? -sum : sum);
  const int leading = static_cast<int>(std::bit_width(magnitude)) - 1 + unit_exponent;
  const int smallest = 1 - keep.d.bias();
  int exponent = leading < smallest ? smallest : leading;

  const int dropped = (exponent - keep.kept_bits) - unit_exponent;
  if (dropped >= 64) return zero_result(keep.d, negative);
  const std::uint64_t rest = dropped > 0 ? magnitude & ((std::uint64_t{1} << dropped) - 1) : 0;
  magnitude = dropped < 0 ? magnitude << -dropped : magnitude >> dropped;
  if (keep.sum == summation::rounded && dropped > 0) {
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    if (rest > half || (rest == half && magnitude % 2 != 0)) ++magnitude;
    if (magnitude >> (keep.kept_bits + 1) != 0) ++exponent, magnitude /= 2;
  }
  if (magnitude == 0) return zero_result(keep.d, negative);
  if (exponent > keep.d.bias()) return overflowed_result(keep.d, negative);

  // The leading one adds 1 to the exponent field; a subnormal has none, and field 0 is its own.
  const std::uint32_t sign = negative ? 1u << (keep.d.storage_bits - 1) : 0u;
  const auto significand = static_cast<std::uint32_t>(magnitude << (keep.d.fraction_bits - keep.kept_bits));
  return sign + (static_cast<std::uint32_t>(exponent - smallest) << keep.d.fraction_bits) + significand;
}

/// One output element of one wgmma: sum over i < k of a[i] * b[i], plus c, as the tensor core rounds it.
///
/// `a` and `b` are bit patterns (std::uint8_t, std::uint16_t or std::uint32_t), c and the result those of keep.d. k is
/// the number of products the instruction adds at once, instruction_k; of sparse A the stored ones, with `b` the
/// elements they meet. A longer dot product is a chain, in which the result of one instruction is the c of the next.
/// Precondition: both formats have the same width.
template <class bits>
constexpr std::uint32_t dot_accumulate(const accumulation& keep, const number_format& a_format, const bits* a,
                                       const number_format& b_format, const bits* b, int k, std::uint32_t c) {
  const number start = decode(keep.d, c);
  // Term 0 is c, the others are the products: to the tensor core they are all alike.
  const auto term = [&](int i) {
    return i == 0 ? start : multiply(decode(a_format, a[i - 1]), decode(b_format, b[i - 1]));
  };

  int largest_exponent = least_alignment(keep.d);
  bool nan = false, plus_infinity = false, minus_infinity = false;
  for (int i = 0; i <= k; ++i) {
    const number x = term(i);
    if (x.kind == number_kind::nan) nan = true;
    if (x.kind == number_kind::infinite) (x.negative ? minus_infinity : plus_infinity) = true;
    if (joins_alignment(x) && x.exponent > largest_exponent) largest_exponent = x.exponent;
  }
  if (nan || (plus_infinity && minus_infinity)) return nan_result(keep.d);
  if (plus_infinity || minus_infinity) return infinite_result(keep.d, minus_infinity);

  std::int64_t sum = 0;
  for (int i = 0; i <= k; ++i) {
    const number x = term(i);
    if (x.kind == number_kind::finite) sum += align(x, largest_exponent, keep.aligned_bits);
  }
  return round_result(keep, sum, largest_exponent - keep.aligned_bits);
}

/// The same with f32 accumulators.
template <class bits>
constexpr float dot_accumulate(const number_format& a_format, const bits* a, const number_format& b_format,
                               const bits* b, int k, float c) {
  const accumulation keep = accumulation_of(a_format, b_format, f32_format);
  return std::bit_cast<float>(dot_accumulate(keep, a_format, a, b_format, b, k, std::bit_cast<std::uint32_t>(c)));
}

/// The same for one format on both sides.
template <class bits>
constexpr float dot_accumulate(const number_format& format, const bits* a, const bits* b, int k, float c) {
  return dot_accumulate(format, a, format, b, k, c);
}

// ---- the same, a tile at a time

/// What wgmma's scale-d says about the accumulator: whether it joins the sum or is overwritten unread.
enum class scale_d : std::uint8_t { zero, one };

/// Rows of one input of one instruction: element (row, i) is data[row * row_stride + i]. A has instruction_k(format)
/// elements to a row; B has as many, or twice as many where A is sparse.
template <class bits>
struct operand_rows {
  const bits* data;
  int row_stride;  ///< in elements
  number_format format;
  /// Of sparse A: element (row, i) meets element met[row * instruction_k(format) + i] of the rows of B.
  const std::uint8_t* met = nullptr;
};

/// The instruction set of the host that `multiply_accumulate` is compiled for; all give the same bits.
enum class host_vectors : std::uint8_t { baseline, avx2, avx512 };

/// The best of them that this machine can run.
host_vectors best_host_vectors();

/// One wgmma on unpacked operands: d[row][col] = dot_accumulate(a row, b row col, scale_d::one ? d[row][col] : 0).
///
/// `a` has m rows and `b` has n rows, both K-contiguous: D (m x n) is A (m x k) times the transpose of B (n x k).
/// `bits` is std::uint8_t, std::uint16_t or std::uint32_t and as wide as both formats. `d` has rows `d_row_stride`
/// floats apart and overlaps neither input; where keep.d is f16 the floats are f16 numbers, before and after. m and n
/// are free; 64 and a multiple of 8 on the real machine. Precondition: `vectors` is not above best_host_vectors().
template <class bits>
void multiply_accumulate(const accumulation& keep, float* d, int d_row_stride, const operand_rows<bits>& a,
                         const operand_rows<bits>& b, int m, int n, scale_d scale,
                         host_vectors vectors = best_host_vectors());

/// The same with f32 accumulators.
template <class bits>
void multiply_accumulate(float* d, int d_row_stride, const operand_rows<bits>& a, const operand_rows<bits>& b, int m,
                         int n, scale_d scale, host_vectors vectors = best_host_vectors()) {
  multiply_accumulate(accumulation_of(a.format, b.format, f32_format), d, d_row_stride, a, b, m, n, scale, vectors);
}

}  // namespace sectile::model
