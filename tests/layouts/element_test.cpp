#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <sectile/layouts/element.hpp>
#include <type_traits>

#include "tests/static_check.hpp"

using namespace sectile;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// The value of a code straight from the definition of a binary floating format, in double.
double by_definition(int code, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int mantissa = code & ((1 << mantissa_bits) - 1);
  const int exponent = (code >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const double sign = (code >> (exponent_bits + mantissa_bits)) != 0 ? -1.0 : 1.0;
  const double fraction = std::ldexp(mantissa, -mantissa_bits);
  return sign * (exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1.0 + fraction, exponent - bias));
}

template <class T>
using code_of = decltype(T::bits);

/// Every code up to the largest finite one, both signs: the value is the defined one, and converting it back gives the
/// code. Returns the number of codes for which that fails.
template <class T>
int decode_failures(int largest) {
  constexpr element e = element_of<T>();
  int failures = 0;
  for (int sign = 0; sign < 2; ++sign) {
    for (int magnitude = 0; magnitude <= largest; ++magnitude) {
      const int code = magnitude | sign << (e.bits - 1);
      const float value = static_cast<float>(T::from_bits(static_cast<code_of<T>>(code)));
      const bool right =
          value == by_definition(code, e.exponent_bits, e.mantissa_bits) && std::signbit(value) == (sign == 1);
      if (!right || T(value).bits != code) ++failures;
    }
  }
  return failures;
}

/// Between every two neighbours: the midpoint goes to the even code, the floats next to it to the nearer neighbour.
template <class T>
int rounding_failures(int largest) {
  constexpr element e = element_of<T>();
  int failures = 0;
  for (int low = 0; low < largest; ++low) {
    const auto at = [&](int code) { return by_definition(code, e.exponent_bits, e.mantissa_bits); };
    const auto middle = static_cast<float>((at(low) + at(low + 1)) / 2);
    const int even = low % 2 == 0 ? low : low + 1;
    const int sign = 1 << (e.bits - 1);
    if (T(middle).bits != even || T(-middle).bits != (even | sign)) ++failures;
    if (T(std::nextafter(middle, 0.0f)).bits != low) ++failures;
    if (T(std::nextafter(middle, infinity)).bits != low + 1) ++failures;
  }
  return failures;
}

template <class T>
constexpr bool is_plain_storage(std::size_t size) {
  return sizeof(T) == size && alignof(T) == size && std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T> &&
         std::is_trivially_default_constructible_v<T>;
}

/// May stand in a template argument list.
template <auto Value>
constexpr float as_template_argument = static_cast<float>(Value);

}  // namespace

STATIC_CASE(is_plain_storage<f16>(2) && is_plain_storage<bf16>(2) && is_plain_storage<tf32>(4));
STATIC_CASE(is_plain_storage<e4m3>(1) && is_plain_storage<e5m2>(1) && is_plain_storage<b1x8>(1));

STATIC_CASE(f16(1.0f).bits == 0x3C00 && bf16(1.0f).bits == 0x3F80 && e4m3(1.0f).bits == 0x38 &&
              e5m2(1.0f).bits == 0x3C);
STATIC_CASE(static_cast<float>(e4m3::from_bits(0x7E)) == 448.0f &&
              static_cast<float>(e5m2::from_bits(0x7B)) == 57344.0f);
STATIC_CASE(static_cast<float>(f16::from_bits(0x0001)) == 0x1p-24f &&
              static_cast<float>(e4m3::from_bits(1)) == 0x1p-9f);
STATIC_CASE(as_template_argument<bf16(1.5f)> == 1.5f);

// The exact storage type is bits.
STATIC_CASE(static_cast<float>(bf16(std::uint16_t{0x3F80})) == 1.0f && e4m3(std::uint8_t{0x38}).bits == 0x38);

// Neither a value nor bits: an integer that is not exactly the storage type does not convert.
STATIC_CASE(!std::is_constructible_v<bf16, int> && !std::is_constructible_v<f16, unsigned>);
STATIC_CASE(!std::is_constructible_v<e4m3, int> && !std::is_constructible_v<tf32, int>);
STATIC_CASE(!std::is_convertible_v<float, bf16> && !std::is_convertible_v<bf16, float>);

TEST_CASE("every code of the small formats has its defined value and survives a round trip") {
  CHECK(decode_failures<f16>(0x7BFF) == 0);
  CHECK(decode_failures<bf16>(0x7F7F) == 0);
  CHECK(decode_failures<e4m3>(0x7E) == 0);
  CHECK(decode_failures<e5m2>(0x7B) == 0);
}

TEST_CASE("conversion from float rounds to nearest, ties to even, subnormals included") {
  CHECK(rounding_failures<f16>(0x7BFF) == 0);
  CHECK(rounding_failures<bf16>(0x7F7F) == 0);
  CHECK(rounding_failures<e4m3>(0x7E) == 0);
  CHECK(rounding_failures<e5m2>(0x7B) == 0);
}

TEST_CASE("tf32 rounds away thirteen bits, ties to even") {
  const auto bits_of = [](tf32 x) { return __builtin_bit_cast(std::uint32_t, x); };
  for (std::uint32_t upper : {0x3F80'0000u, 0x3F80'2000u, 0x0000'2000u, 0x4B7F'E000u, 0xC123'4000u}) {
    const std::uint32_t even = (upper & 0x2000u) == 0 ? upper : upper + 0x2000u;
    CHECK(bits_of(tf32(__builtin_bit_cast(float, upper))) == upper);
    CHECK(bits_of(tf32(__builtin_bit_cast(float, upper | 0x0FFFu))) == upper);
    CHECK(bits_of(tf32(__builtin_bit_cast(float, upper | 0x1000u))) == even);
    CHECK(bits_of(tf32(__builtin_bit_cast(float, upper | 0x1001u))) == upper + 0x2000u);
  }
  CHECK(static_cast<float>(tf32(std::numeric_limits<float>::max())) == infinity);
  CHECK(static_cast<float>(tf32(-infinity)) == -infinity);
  CHECK(std::isnan(static_cast<float>(tf32(not_a_number))));
}

TEST_CASE("too large a number is infinity where there is one by IEEE rules, else the largest finite number") {
  CHECK(f16(65519.996f).bits == 0x7BFF);
  CHECK(f16(65520.0f).bits == 0x7C00);
  CHECK(f16(-infinity).bits == 0xFC00);
  CHECK(bf16(0x1.fe8p127f).bits == 0x7F7F);
  CHECK(bf16(0x1.ffp127f).bits == 0x7F80);
  CHECK(bf16(-infinity).bits == 0xFF80);
  for (float x : {449.0f, 464.0f, 465.0f, 480.0f, 512.0f, 1e6f, 3e38f, infinity}) {
    CHECK(e4m3(x).bits == 0x7E);
    CHECK(e4m3(-x).bits == 0xFE);
  }
  for (float x : {57345.0f, 61440.0f, 65536.0f, 1e6f, 3e38f, infinity}) {
    CHECK(e5m2(x).bits == 0x7B);
    CHECK(e5m2(-x).bits == 0xFB);
  }
}

TEST_CASE("numbers below half of the smallest become zero with their sign") {
  CHECK(f16(0x1p-25f).bits == 0);
  CHECK(f16(std::nextafter(0x1p-25f, 1.0f)).bits == 1);
  CHECK(e4m3(-0x1p-10f).bits == 0x80);
  CHECK(e5m2(0x1p-17f).bits == 0);
  CHECK(f16(-0x1p-140f).bits == 0x8000);
  CHECK(e4m3(std::numeric_limits<float>::denorm_min()).bits == 0);
  CHECK(bf16(-0.0f).bits == 0x8000);
}

TEST_CASE("NaN and infinity codes") {
  CHECK(f16(not_a_number).bits == 0x7FFF);
  CHECK(bf16(not_a_number).bits == 0x7FFF);
  CHECK(e4m3(not_a_number).bits == 0x7F);
  CHECK(e5m2(not_a_number).bits == 0x7F);
  CHECK(bf16(__builtin_bit_cast(float, 0x7F80'0001u)).bits == 0x7FFF);
  for (int code : {0x7C01, 0x7E00, 0x7FFF, 0xFC01}) {
    CHECK(std::isnan(static_cast<float>(f16::from_bits(static_cast<std::uint16_t>(code)))));
  }
  for (int code : {0x7D, 0x7E, 0x7F, 0xFD}) {
    CHECK(std::isnan(static_cast<float>(e5m2::from_bits(static_cast<std::uint8_t>(code)))));
  }
  CHECK(std::isnan(static_cast<float>(e4m3::from_bits(0x7F))));
  CHECK(std::isnan(static_cast<float>(e4m3::from_bits(0xFF))));
  CHECK(static_cast<float>(f16::from_bits(0xFC00)) == -infinity);
  CHECK(static_cast<float>(e5m2::from_bits(0x7C)) == infinity);
}

TEST_CASE("element_of names what a storage type holds") {
  STATIC_CHECK(element_of<f32>() == element{"f32", 32, number::floating, 8, 23});
  STATIC_CHECK(element_of<const tf32>() == element{"tf32", 32, number::floating, 8, 10});
  STATIC_CHECK(element_of<f16>() == element{"f16", 16, number::floating, 5, 10});
  STATIC_CHECK(element_of<bf16>() == element{"bf16", 16, number::floating, 8, 7});
  STATIC_CHECK(element_of<e4m3>() == element{"e4m3", 8, number::floating, 4, 3});
  STATIC_CHECK(element_of<e5m2>() == element{"e5m2", 8, number::floating, 5, 2});
  STATIC_CHECK(element_of<s8>() == element{"s8", 8, number::signed_integer, 0, 0});
  STATIC_CHECK(element_of<u8>() == element{"u8", 8, number::unsigned_integer, 0, 0});
  STATIC_CHECK(element_of<s32>() == element{"s32", 32, number::signed_integer, 0, 0});
  STATIC_CHECK(element_of<b1x8>() == element{"b1", 1, number::bits, 0, 0});
  STATIC_CHECK(element_of<f16>() != element_of<bf16>());
  CHECK(element_of<bf16>().bits == 8 * sizeof(bf16));
}

TEST_CASE("integers of 8 bits are rounded to nearest even and clamped") {
  STATIC_CHECK(rounded_to<s8>(-2.5f) == -2 && rounded_to<s8>(3.5f) == 4 && rounded_to<u8>(0.5f) == 0);
  STATIC_CHECK(rounded_to<s8>(not_a_number) == 0 && rounded_to<u8>(-infinity) == 0 && rounded_to<s8>(infinity) == 127);
  STATIC_CHECK(rounded_to<e4m3>(1000.0f).bits == 0x7E && rounded_to<float>(0.1f) == 0.1f);
  for (int eighth = -5000; eighth <= 5000; ++eighth) {
    const float x = static_cast<float>(eighth) / 8;
    const double whole = std::nearbyint(static_cast<double>(x));
    CHECK(rounded_to<s8>(x) == std::fmin(std::fmax(whole, -128), 127));
    CHECK(rounded_to<u8>(x) == std::fmin(std::fmax(whole, 0), 255));
  }
}
