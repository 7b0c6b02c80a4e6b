#pragma once
// The element types of tensor-core operands: what one element is (bits, kind, exponent and mantissa), and storage types
// for those C++ has no name for. The storage types have the size and bit layout of the CUDA types of the same name and
// convert to and from float in constant evaluation and at run time, on the host and on the device.
//
// Rounding is to nearest, ties to even, as CUDA's float conversions do. Too large a number becomes infinity in f16,
// bf16 and tf32; e4m3 (which has no infinity) and e5m2 take their largest finite value instead, infinity included,
// which is CUDA's __NV_SATFINITE and the only mode that the hardware conversion has. A NaN becomes the format's NaN
// with every bit but the sign set.
//
// Source: PTX ISA, "Alternate Floating-Point Data Formats" and `cvt`; OCP 8-bit Floating Point Specification (OFP8).

#include <sectile/layouts/free_letters.hpp>

#include <cstdint>
#include <type_traits>

namespace sectile {

/// What the bits of an element stand for.
enum class number : std::uint8_t { floating, signed_integer, unsigned_integer, bits };

/// What one element of a tensor is. exponent_bits and mantissa_bits are 0 unless the kind is floating; mantissa_bits
/// does not count the implicit leading bit. `bits` is the width in memory, so 32 for tf32. `shuffled`: in memory these
/// have an order of their own (shuffled_columns.hpp).
struct element {
  char name[16] = {};
  int bits = 0;
  number kind = number::bits;
  int exponent_bits = 0;
  int mantissa_bits = 0;
  bool shuffled = false;

  friend constexpr bool operator==(const element&, const element&) = default;
};

namespace detail {

/// A floating format of at most 16 bits: field widths, and the codes (without sign) of its largest finite number, of
/// what stands for anything larger, and of its NaN.
struct small_float {
  int exponent_bits;
  int mantissa_bits;
  std::uint32_t largest;
  std::uint32_t overflow;
  std::uint32_t nan;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int sign_at() const { return exponent_bits + mantissa_bits; }
};

constexpr small_float f16_format() { return {5, 10, 0x7BFF, 0x7C00, 0x7FFF}; }
constexpr small_float e4m3_format() { return {4, 3, 0x7E, 0x7E, 0x7F}; }
constexpr small_float e5m2_format() { return {5, 2, 0x7B, 0x7B, 0x7F}; }

constexpr std::uint32_t float_bits(float x) { return __builtin_bit_cast(std::uint32_t, x); }
constexpr float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
constexpr bool is_nan(std::uint32_t bits) { return (bits & 0x7FFF'FFFFu) > 0x7F80'0000u; }

/// x without its low `dropped` bits, rounded to nearest even; the result is shifted down. 1 <= dropped <= 31.
constexpr std::uint32_t shift_right_to_nearest_even(std::uint32_t x, int dropped) {
  const std::uint32_t kept = x >> dropped;
  const std::uint32_t rest = x & ((1u << dropped) - 1);
  const std::uint32_t half = 1u << (dropped - 1);
  return kept + (rest > half || (rest == half && (kept & 1u) != 0) ? 1u : 0u);
}

/// The exact value of a code; codes past `largest` that are not the infinity of an IEEE-like format are NaN.
constexpr float decode(small_float f, std::uint32_t code) {
  const std::uint32_t sign = (code >> f.sign_at()) << 31;
  const std::uint32_t magnitude = code & ((1u << f.sign_at()) - 1);
  if (magnitude > f.largest) {
    const std::uint32_t infinity = ((1u << f.exponent_bits) - 1) << f.mantissa_bits;
    return float_of(sign | (magnitude == infinity ? 0x7F80'0000u : 0x7FFF'FFFFu));
  }
  const std::uint32_t mantissa_mask = (1u << f.mantissa_bits) - 1;
  const int exponent = static_cast<int>(magnitude >> f.mantissa_bits);
  if (exponent == 0) {  // zero or subnormal: mantissa * 2^(1 - bias - mantissa_bits), exact in float
    const float unit = float_of(static_cast<std::uint32_t>(127 + 1 - f.bias() - f.mantissa_bits) << 23);
    const float value = static_cast<float>(magnitude & mantissa_mask) * unit;
    return float_of(sign | float_bits(value));
  }
  const auto exponent_field = static_cast<std::uint32_t>(exponent - f.bias() + 127) << 23;
  return float_of(sign | exponent_field | ((magnitude & mantissa_mask) << (23 - f.mantissa_bits)));
}

/// The code nearest to x.
constexpr std::uint32_t encode(small_float f, float x) {
  const std::uint32_t bits = float_bits(x);
  if (is_nan(bits)) return f.nan;
  const std::uint32_t sign = (bits >> 31) << f.sign_at();
  const int exponent = static_cast<int>((bits >> 23) & 0xFF) - 127;

  const int least_exponent = 1 - f.bias();
  const int below = exponent < least_exponent ? least_exponent - exponent : 0;
  const int dropped = 23 - f.mantissa_bits + below;
  if (dropped > 24) return sign;  // less than half of the smallest subnormal (a subnormal float always ends here)

  // A carry out of the mantissa runs into the exponent field, which is what rounding up to the next binade means.
  const std::uint32_t significand = (bits & 0x7F'FFFFu) | 0x80'0000u;
  const std::uint32_t rounded = shift_right_to_nearest_even(significand, dropped);
  const std::uint32_t code =
      below > 0 ? rounded : rounded + (static_cast<std::uint32_t>(exponent + f.bias() - 1) << f.mantissa_bits);
  return sign | (code > f.largest ? f.overflow : code);
}

/// x rounded to nearest even so that its low `dropped` bits are zero. Overflow gives infinity; NaN is the caller's
/// matter.
constexpr std::uint32_t round_low_bits(std::uint32_t bits, int dropped) {
  return shift_right_to_nearest_even(bits, dropped) << dropped;
}

/// For the deleted constructors that keep `static_cast<bf16>(1)` and `bf16{0x3F80}` from compiling: it is not clear
/// whether a value or bits are meant. The exact storage type means bits; nvcc spells template arguments that way.
template <class T>
concept integral = std::is_integral_v<T>;

}  // namespace detail

/// One IEEE binary16 number.
struct f16 {
  std::uint16_t bits;

  f16() = default;
  constexpr explicit f16(float x) : bits(static_cast<std::uint16_t>(detail::encode(detail::f16_format(), x))) {}
  constexpr explicit f16(std::uint16_t raw) : bits(raw) {}
  explicit f16(detail::integral auto) = delete;
  static constexpr f16 from_bits(std::uint16_t raw) { return f16(raw); }
  constexpr explicit operator float() const { return detail::decode(detail::f16_format(), bits); }
};

/// One bfloat16 number: the upper half of a float.
struct bf16 {
  std::uint16_t bits;

  bf16() = default;
  constexpr explicit bf16(float x) : bits(round(detail::float_bits(x))) {}
  constexpr explicit bf16(std::uint16_t raw) : bits(raw) {}
  explicit bf16(detail::integral auto) = delete;
  static constexpr bf16 from_bits(std::uint16_t raw) { return bf16(raw); }
  constexpr explicit operator float() const { return detail::float_of(static_cast<std::uint32_t>(bits) << 16); }

 private:
  static constexpr std::uint16_t round(std::uint32_t x) {
    return detail::is_nan(x) ? std::uint16_t{0x7FFF}
                             : static_cast<std::uint16_t>(detail::shift_right_to_nearest_even(x, 16));
  }
};

/// One tf32 number, kept in a float whose low 13 bits are zero. wgmma itself drops those bits without rounding.
struct tf32 {
  float value;

  tf32() = default;
  constexpr explicit tf32(float x) : value(round(detail::float_bits(x))) {}
  explicit tf32(detail::integral auto) = delete;
  static constexpr tf32 from_bits(std::uint32_t raw) { return __builtin_bit_cast(tf32, raw); }
  constexpr explicit operator float() const { return value; }

 private:
  static constexpr float round(std::uint32_t x) {
    return detail::float_of(detail::is_nan(x) ? 0x7FFF'FFFFu : detail::round_low_bits(x, 13));
  }
};

/// One OFP8 E4M3 number: largest 448, no infinity, NaN only with all bits set.
struct e4m3 {
  std::uint8_t bits;

  e4m3() = default;
  constexpr explicit e4m3(float x) : bits(static_cast<std::uint8_t>(detail::encode(detail::e4m3_format(), x))) {}
  constexpr explicit e4m3(std::uint8_t raw) : bits(raw) {}
  explicit e4m3(detail::integral auto) = delete;
  static constexpr e4m3 from_bits(std::uint8_t raw) { return e4m3(raw); }
  constexpr explicit operator float() const { return detail::decode(detail::e4m3_format(), bits); }
};

/// One OFP8 E5M2 number: the upper half of an f16. It has infinities, but conversion from float never makes one.
struct e5m2 {
  std::uint8_t bits;

  e5m2() = default;
  constexpr explicit e5m2(float x) : bits(static_cast<std::uint8_t>(detail::encode(detail::e5m2_format(), x))) {}
  constexpr explicit e5m2(std::uint8_t raw) : bits(raw) {}
  explicit e5m2(detail::integral auto) = delete;
  static constexpr e5m2 from_bits(std::uint8_t raw) { return e5m2(raw); }
  constexpr explicit operator float() const { return detail::decode(detail::e5m2_format(), bits); }
};

/// Eight one-bit elements; element i is bit i.
struct b1x8 {
  std::uint8_t bits;
};

/// Two integers of 4 bits, -8 to 7 and 0 to 15; element i is bits 4 i to 4 i + 3. No wgmma multiplies them: they are
/// brought into registers and cast.
struct s4x2 {
  std::uint8_t bits;
};
struct u4x2 {
  std::uint8_t bits;
};

/// What stores elements as T does, of 8 or 4 bits, but the columns of a row in the order of shuffled_columns.hpp. No
/// wgmma multiplies them: they are brought into registers and cast.
template <class T>
struct shuffled {
  T stored;
};
template <class T>
inline constexpr bool is_shuffled = false;
template <class T>
inline constexpr bool is_shuffled<shuffled<T>> = true;
namespace detail {
template <class T>
struct unshuffled_type {
  using type = T;
};
template <class T>
struct unshuffled_type<shuffled<T>> {
  using type = T;
};
}  // namespace detail
/// T of shuffled<T>; any other type is itself.
template <class T>
using unshuffled = typename detail::unshuffled_type<T>::type;

using f32 = float;
using s8 = std::int8_t;
using u8 = std::uint8_t;
using s32 = std::int32_t;

namespace detail {
/// x rounded to nearest even and clamped to what integer T of 8 bits holds; NaN becomes 0: cvt.rni.sat of PTX.
template <class T>
constexpr T round_to_integer(float x) {
  constexpr float least = std::is_signed_v<T> ? -128 : 0, most = std::is_signed_v<T> ? 127 : 255;
  if (x != x) return 0;
  const float clamped = x < least ? least : x > most ? most : x;
  constexpr float whole = 12582912;  // 1.5 * 2^23: of floats of that size the last bit counts ones
  return static_cast<T>((clamped + whole) - whole);
}
}  // namespace detail

/// x as an element of floating type T, or of 8-bit integers, rounded to nearest even. What is too large for 8 bits
/// becomes the largest number.
template <class T>
constexpr T rounded_to(float x) {
  if constexpr (std::is_same_v<T, s8> || std::is_same_v<T, u8>)
    return detail::round_to_integer<T>(x);
  else
    return T(x);
}

/// e, of 8 or 4 bits, in an order of its own: "shuffled e4m3". Of other elements none is, and this has no bits.
constexpr element shuffled_element(const element& e) {
  if (e.bits != 8 && e.bits != 4) return {};
  element own = e;
  own.shuffled = true;
  constexpr char word[] = "shuffled ";
  constexpr int length = sizeof word - 1;
  for (int i = 0; i < length; ++i) own.name[i] = word[i];
  for (int i = 0; i + length < static_cast<int>(sizeof own.name); ++i) own.name[length + i] = e.name[i];
  return own;
}

/// What one element of storage type T is, of no bits if no elements are stored as T.
template <class T>
constexpr element element_or_none() {
  using plain = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<plain, f32>)
    return {"f32", 32, number::floating, 8, 23};
  else if constexpr (std::is_same_v<plain, tf32>)
    return {"tf32", 32, number::floating, 8, 10};
  else if constexpr (std::is_same_v<plain, f16>)
    return {"f16", 16, number::floating, 5, 10};
  else if constexpr (std::is_same_v<plain, bf16>)
    return {"bf16", 16, number::floating, 8, 7};
  else if constexpr (std::is_same_v<plain, e4m3>)
    return {"e4m3", 8, number::floating, 4, 3};
  else if constexpr (std::is_same_v<plain, e5m2>)
    return {"e5m2", 8, number::floating, 5, 2};
  else if constexpr (std::is_same_v<plain, s8>)
    return {"s8", 8, number::signed_integer, 0, 0};
  else if constexpr (std::is_same_v<plain, u8>)
    return {"u8", 8, number::unsigned_integer, 0, 0};
  else if constexpr (std::is_same_v<plain, s32>)
    return {"s32", 32, number::signed_integer, 0, 0};
  else if constexpr (std::is_same_v<plain, s4x2>)
    return {"s4", 4, number::signed_integer, 0, 0};
  else if constexpr (std::is_same_v<plain, u4x2>)
    return {"u4", 4, number::unsigned_integer, 0, 0};
  else if constexpr (std::is_same_v<plain, b1x8>)
    return {"b1", 1, number::bits, 0, 0};
  else if constexpr (is_shuffled<plain>)
    return shuffled_element(element_or_none<unshuffled<plain>>());
  else
    return {};
}

/// Whether elements are stored as T.
template <class T>
inline constexpr bool is_element_type = element_or_none<T>().bits > 0;

/// What one element of storage type T is. For b1x8 that is one of its eight bits, for s4x2 and u4x2 one of both halves.
template <class T>
constexpr element element_of() {
  static_assert(is_element_type<T>,
                "element_of<T>: T is none of f32 tf32 f16 bf16 e4m3 e5m2 s8 u8 s32 s4x2 u4x2 b1x8, nor shuffled<> of 8 "
                "or 4 bits");
  return element_or_none<T>();
}

}  // namespace sectile
