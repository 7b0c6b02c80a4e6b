// The arithmetic of Hopper's wgmma with f32 accumulators, bit for bit.
//
// A tensor core does not compute a chain of IEEE additions. For one output element it takes all K products of one
// instruction and the accumulator C, lines them up at the largest exponent among them, cuts every term off below a
// fixed number of fractional bits, adds what is left exactly, and truncates the sum once. `dot_accumulate` says this in
// plain integer arithmetic and is meant to be read; `multiply_accumulate` computes the same bits, a tile at a time and
// fast, for the simulator.
//
// The rule is the one published as MMA-Sim (github.com/microsoft/MMA-Sim) and agrees with Khattak and Mikaitis,
// arXiv 2512.07004. An H100 was compared with it on 8 million outputs of bf16, f16, tf32, e4m3 and e5m2: no bit
// differed. That comparison did not reach the following, so these are choices rather than knowledge:
//   - NaN and infinity (as MMA-Sim has them): a NaN result is 0x7fffffff, infinities propagate, and inf - inf and
//     0 * inf are NaN;
//   - a result of zero is +0, even if C = -0 is the only term, and even if a negative sum was truncated to zero;
//   - a result of 2^128 or more is an infinity; truncation in the IEEE sense would stop at the largest finite number;
//   - a zero has no exponent, so it never raises the alignment. MMA-Sim gives zeros the exponent -126: then 0 * 2^127
//     counts as exponent 1 in bf16 and tf32, C = 0 keeps products below 2^-126 from lining up any lower than there, and
//     with the other formats only a C below 2^-100 could tell.
#pragma once

#include <bit>
#include <cstdint>

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

inline constexpr number_format f32_format{32, 8, 23, 0, top_exponent::infinity_and_nan};
inline constexpr number_format tf32_format{32, 8, 10, 13, top_exponent::infinity_and_nan};
inline constexpr number_format f16_format{16, 5, 10, 0, top_exponent::infinity_and_nan};
inline constexpr number_format bf16_format{16, 8, 7, 0, top_exponent::infinity_and_nan};
inline constexpr number_format e4m3_format{8, 4, 3, 0, top_exponent::one_nan};
inline constexpr number_format e5m2_format{8, 5, 2, 0, top_exponent::infinity_and_nan};

/// K of one dense wgmma: a row of A or B is always 32 bytes.
constexpr int instruction_k(const number_format& format) { return 256 / format.storage_bits; }

/// The two precisions of an instruction with f32 accumulators.
struct accumulation {
  int aligned_bits;  ///< fractional bits every term keeps, counted at the largest exponent
  int kept_bits;     ///< fractional bits of the f32 result that can be non-zero

  friend constexpr bool operator==(const accumulation&, const accumulation&) = default;
};

/// 25 and 23 bits, but 13 and 13 for fp8 ("e8m13").
constexpr accumulation accumulation_of(const number_format& input) {
  return input.storage_bits == 8 ? accumulation{13, 13} : accumulation{25, 23};
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

/// sum * 2^unit_exponent, truncated toward zero to an f32 with `kept_bits` fractional bits, subnormals included.
constexpr float truncate_to_f32(std::int64_t sum, int unit_exponent, int kept_bits) {
  if (sum == 0) return 0.0f;
  auto magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  const int leading = static_cast<int>(std::bit_width(magnitude)) - 1 + unit_exponent;
  const int smallest = 1 - f32_format.bias();
  const int exponent = leading < smallest ? smallest : leading;

  const int dropped = (exponent - kept_bits) - unit_exponent;
  if (dropped >= 64) return 0.0f;
  magnitude = dropped < 0 ? magnitude << -dropped : magnitude >> dropped;
  if (magnitude == 0) return 0.0f;

  const std::uint32_t sign = sum < 0 ? 0x80000000u : 0u;
  if (exponent > f32_format.bias()) return std::bit_cast<float>(sign | 0x7f800000u);
  // The leading one is bit 23, where it adds 1 to the exponent field; a subnormal has none, and field 0 is its own.
  const auto significand = static_cast<std::uint32_t>(magnitude << (f32_format.fraction_bits - kept_bits));
  return std::bit_cast<float>(sign + (static_cast<std::uint32_t>(exponent - smallest) << 23) + significand);
}

/// One output element of one wgmma: sum over i < k of a[i] * b[i], plus c, as the tensor core rounds it.
///
/// `a` and `b` are bit patterns (std::uint8_t, std::uint16_t or std::uint32_t). k is the number of products the
/// instruction adds at once: instruction_k for a dense one. A longer dot product is a chain, in which the result of one
/// instruction is the c of the next. Precondition: both formats have the same width.
template <class bits>
constexpr float dot_accumulate(const number_format& a_format, const bits* a, const number_format& b_format,
                               const bits* b, int k, float c) {
  const accumulation keep = accumulation_of(a_format);
  const number start = decode(f32_format, std::bit_cast<std::uint32_t>(c));
  // Term 0 is c, the others are the products: to the tensor core they are all alike.
  const auto term = [&](int i) {
    return i == 0 ? start : multiply(decode(a_format, a[i - 1]), decode(b_format, b[i - 1]));
  };

  constexpr int none = -1'000'000;
  int largest_exponent = none;
  bool nan = false, plus_infinity = false, minus_infinity = false;
  for (int i = 0; i <= k; ++i) {
    const number x = term(i);
    if (x.kind == number_kind::nan) nan = true;
    if (x.kind == number_kind::infinite) (x.negative ? minus_infinity : plus_infinity) = true;
    if (x.kind == number_kind::finite && x.exponent > largest_exponent) largest_exponent = x.exponent;
  }
  if (nan || (plus_infinity && minus_infinity)) return std::bit_cast<float>(0x7fffffffu);
  if (plus_infinity) return std::bit_cast<float>(0x7f800000u);
  if (minus_infinity) return std::bit_cast<float>(0xff800000u);
  if (largest_exponent == none) return 0.0f;

  std::int64_t sum = 0;
  for (int i = 0; i <= k; ++i) {
    const number x = term(i);
    if (x.kind == number_kind::finite) sum += align(x, largest_exponent, keep.aligned_bits);
  }
  return truncate_to_f32(sum, largest_exponent - keep.aligned_bits, keep.kept_bits);
}

/// The same for one format on both sides.
template <class bits>
constexpr float dot_accumulate(const number_format& format, const bits* a, const bits* b, int k, float c) {
  return dot_accumulate(format, a, format, b, k, c);
}

/// What wgmma's scale-d says about the accumulator: whether it joins the sum or is overwritten unread.
enum class scale_d : std::uint8_t { zero, one };

/// Rows of one input of one instruction: element (row, i) is data[row * row_stride + i], 0 <= i <
/// instruction_k(format).
template <class bits>
struct operand_rows {
  const bits* data;
  int row_stride;  ///< in elements
  number_format format;
};

/// The instruction set of the host that `multiply_accumulate` is compiled for; all give the same bits.
enum class host_vectors : std::uint8_t { baseline, avx2, avx512 };

/// The best of them that this machine can run.
host_vectors best_host_vectors();

/// One wgmma on unpacked operands: d[row][col] = dot_accumulate(a row, b row col, scale_d::one ? d[row][col] : 0).
///
/// `a` has m rows and `b` has n rows, both K-contiguous: D (m x n) is A (m x k) times the transpose of B (n x k), with
/// k = instruction_k. `bits` is std::uint8_t, std::uint16_t or std::uint32_t and as wide as both formats. `d` has rows
/// `d_row_stride` floats apart and overlaps neither input. m and n are free; 64 and a multiple of 8 on the real
/// machine. Precondition: `vectors` is not above best_host_vectors().
template <class bits>
void multiply_accumulate(float* d, int d_row_stride, const operand_rows<bits>& a, const operand_rows<bits>& b, int m,
                         int n, scale_d scale, host_vectors vectors = best_host_vectors());

}  // namespace sectile::model
