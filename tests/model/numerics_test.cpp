// The arithmetic of wgmma: the reference against known vectors, against a second reading of the rule in doubles, and
// against exact sums where the rule loses nothing.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "random_numbers.hpp"
#include "tests/static_check.hpp"

namespace {

using namespace sectile::model;
using namespace kit;

constexpr std::uint32_t nan_result_bits = 0x7fffffffu;

/// 2^e for a normal f32.
constexpr float power(int e) { return f32(static_cast<std::uint32_t>(e + 127) << 23); }

/// The bf16 of a number that has at most 8 significant bits.
constexpr std::uint16_t bf16(float x) { return static_cast<std::uint16_t>(bits_of(x) >> 16); }

/// The e4m3 of a normal number that has at most 4 significant bits.
constexpr std::uint8_t e4m3(float x) {
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t sign = bits >> 24 & 0x80u, field = (bits >> 23 & 0xffu) - 120, fraction = bits >> 20 & 7u;
  return static_cast<std::uint8_t>(sign | field << 3 | fraction);
}

/// A row of A and a row of B, zero where not said otherwise.
template <class bits>
struct row_pair {
  bits a[32], b[32];
};

template <class bits>
constexpr row_pair<bits> same(bits a, bits b, int count = 32) {
  row_pair<bits> rows{};
  for (int i = 0; i < count; ++i) {
    rows.a[i] = a;
    rows.b[i] = b;
  }
  return rows;
}

template <class bits>
constexpr row_pair<bits> with_first(row_pair<bits> rows, bits a, bits b) {
  rows.a[0] = a;
  rows.b[0] = b;
  return rows;
}

constexpr float fp8_dot(const row_pair<std::uint8_t>& x, float c) {
  return dot_accumulate(e4m3_format, x.a, x.b, 32, c);
}
constexpr float bf16_dot(const row_pair<std::uint16_t>& x, float c) {
  return dot_accumulate(bf16_format, x.a, x.b, 16, c);
}

// Formats.
STATIC_CASE(instruction_k(bf16_format) == 16 && instruction_k(tf32_format) == 8 && instruction_k(e5m2_format) == 32);
static_assert(accumulation_of(f16_format, f16_format, f32_format) ==
              accumulation{f32_format, sectile::summation::truncated, 25, 23});
static_assert(accumulation_of(e4m3_format, e5m2_format, f32_format) ==
              accumulation{f32_format, sectile::summation::truncated, 13, 13});
static_assert(accumulation_of(e5m2_format, e4m3_format, f16_format) ==
              accumulation{f16_format, sectile::summation::rounded, 13, 10});

// Predicted vectors: an fp8 instruction cuts C to 13 bits, and drops what lies below 2^-13 of the largest exponent.
STATIC_CASE(fp8_dot({}, 1 + power(-20)) == 1);
STATIC_CASE(fp8_dot(same(e4m3(power(-6)), std::uint8_t{2}), 1) == 1);  // the byte 2 is 2^-8
STATIC_CASE(fp8_dot(same(e4m3(power(-6)), std::uint8_t{4}), 1) == 1 + power(-8));
STATIC_CASE(fp8_dot(with_first(same(e4m3(1), e4m3(1)), e4m3(448), e4m3(448)), 0) == 200704);
STATIC_CASE(fp8_dot(with_first(same(e4m3(4), e4m3(4)), e4m3(448), e4m3(448)), 0) == 201200);
STATIC_CASE(fp8_dot(with_first(same(e4m3(-1), e4m3(1)), e4m3(448), e4m3(448)), 0) == 200704);

STATIC_CASE(bf16_dot(same(bf16(power(-10)), bf16(power(-15))), 1) == 1 + power(-21));
STATIC_CASE(bf16_dot(same(bf16(power(-10)), bf16(power(-16))), 1) == 1);
STATIC_CASE(bf16_dot(same(bf16(power(-10)), bf16(power(-15)), 3), 1) == 1);

constexpr float cancel(int half_exponent) {
  row_pair<std::uint16_t> x{{bf16(power(half_exponent)), bf16(1), bf16(-power(half_exponent))},
                            {bf16(power(half_exponent)), bf16(1), bf16(power(half_exponent))}};
  return bf16_dot(x, 0);
}
STATIC_CASE(cancel(12) == 1);  // 2^24 + 1 - 2^24
STATIC_CASE(cancel(13) == 0);  // 2^26 + 1 - 2^26

// A product is not renormalised: 1.5 * 1.5 aligns at exponent 0 although it is 2.25, and so 2^-25 is not lost beside
// it.
constexpr float beside_products_over_two() {
  row_pair<std::uint16_t> x = same(bf16(power(-12)), bf16(power(-13)), 8);
  x = with_first(x, bf16(1.5f), bf16(1.5f));
  x.a[8] = bf16(1.5f);
  x.b[8] = bf16(-1.5f);
  return bf16_dot(x, 0);
}
STATIC_CASE(beside_products_over_two() == 7 * power(-25));

TEST_CASE("numerics: fp8 chains lose what 13 bits cannot hold") {
  const auto chain = [](std::uint8_t a, std::uint8_t b, int k) {
    float c = 0;
    for (int i = 0; i < k; i += 32) c = fp8_dot(same(a, b), c);
    return c;
  };
  CHECK(chain(e4m3(1), e4m3(1), 32768) == 16384);
  CHECK(chain(e4m3(1), e4m3(1.125f), 4096) == 4324);
}

TEST_CASE("numerics: what the rule does not settle, as documented") {
  const std::uint16_t zero = 0, one = bf16(1), inf = 0x7f80, minus_inf = 0xff80, nan = 0x7f81;
  const float infinity = std::numeric_limits<float>::infinity();
  const auto dot = [](std::uint16_t a0, std::uint16_t b0, std::uint16_t a1, std::uint16_t b1, float c) {
    return bits_of(bf16_dot(row_pair<std::uint16_t>{{a0, a1}, {b0, b1}}, c));
  };
  CHECK(dot(nan, one, one, one, 0) == nan_result_bits);
  CHECK(dot(one, nan, zero, one, 0) == nan_result_bits);
  CHECK(dot(inf, zero, one, one, 0) == nan_result_bits);
  CHECK(dot(inf, one, minus_inf, one, 0) == nan_result_bits);
  CHECK(dot(inf, one, one, one, -infinity) == nan_result_bits);
  CHECK(dot(one, one, one, one, f32(0xffc00001u)) == nan_result_bits);
  CHECK(dot(inf, one, one, one, 5) == bits_of(infinity));
  CHECK(dot(inf, one, one, one, infinity) == bits_of(infinity));
  CHECK(dot(inf, bf16(-1), one, one, 5) == bits_of(-infinity));
  CHECK(dot(one, one, one, one, -infinity) == bits_of(-infinity));

  CHECK(dot(zero, zero, zero, zero, -0.0f) == 0);
  CHECK(dot(bf16(-0.0f), one, zero, zero, -0.0f) == 0);
  CHECK(dot(one, bf16(-1), one, one, 0) == 0);
  CHECK(dot(bf16(power(-76)), bf16(-power(-76)), zero, zero, 0) == 0);  // -2^-152, a quarter of what f32 can hold
  CHECK(bits_of(fp8_dot({}, f32(0x80000001u))) == 0);

  const std::uint16_t big = bf16(power(127));
  CHECK(dot(big, bf16(2), zero, zero, 0) == bits_of(infinity));
  CHECK(dot(big, bf16(-2), zero, zero, 0) == bits_of(-infinity));
  CHECK(dot(big, big, big, bf16(-power(127)), 7) == 0);  // intermediate sums do not overflow; 7 is far too small
  CHECK(dot(big, one, zero, zero, std::numeric_limits<float>::max() - power(127)) ==
        bits_of(std::numeric_limits<float>::max()));

  // Zeros do not raise the alignment: 0 * 2^127 does not hide 2^-60, and C = 0 does not hide 16 * 2^-152.
  CHECK(dot(zero, big, bf16(power(-30)), bf16(power(-30)), 0) == bits_of(power(-60)));
  CHECK(bits_of(bf16_dot(same(bf16(power(-76)), bf16(power(-76))), 0)) == 2);
  CHECK(bits_of(bf16_dot(same(bf16(power(-76)), bf16(-power(-76))), 0)) == 0x80000002u);

  // e4m3 has no infinity, but one NaN of each sign.
  CHECK(bits_of(fp8_dot(same(std::uint8_t{0x7f}, e4m3(1)), 0)) == nan_result_bits);
  CHECK(bits_of(fp8_dot(same(std::uint8_t{0xff}, e4m3(1)), 0)) == nan_result_bits);
  CHECK(fp8_dot(same(std::uint8_t{0x7e}, e4m3(1), 1), 0) == 448);
  // tf32 drops 13 bits before anything else, so this NaN is an infinity.
  const std::uint32_t low_payload = 0x7f800001u, tf32_one = 0x3f801fffu;
  CHECK(dot_accumulate(tf32_format, &low_payload, &tf32_one, 1, 0) == infinity);
  CHECK(dot_accumulate(tf32_format, &tf32_one, &tf32_one, 1, 0) == 1);
}

// A second reading of the rule: exponents by frexp, cuts by trunc, all of it exact in doubles.

double value_of(const number_format& format, std::uint32_t bits) {
  if (format == f32_format) return static_cast<double>(f32(bits));
  if (format == tf32_format) return static_cast<double>(f32(bits & 0xffffe000u));
  if (format == bf16_format) return static_cast<double>(f32(bits << 16));
  const std::uint32_t magnitude = bits & ((1u << (format.storage_bits - 1)) - 1);
  const double sign = magnitude == bits ? 1 : -1;
  if (format == e4m3_format) {
    if (magnitude == 0x7f) return std::numeric_limits<double>::quiet_NaN();
    return sign *
           (magnitude < 8 ? magnitude / 512.0 : std::ldexp(8 + magnitude % 8, static_cast<int>(magnitude / 8) - 10));
  }
  // e5m2 is the upper half of f16.
  const std::uint32_t half = format == e5m2_format ? magnitude << 8 : magnitude;
  if (half > 0x7c00) return std::numeric_limits<double>::quiet_NaN();
  if (half == 0x7c00) return sign * std::numeric_limits<double>::infinity();
  return sign *
         (half < 1024 ? std::ldexp(half, -24) : std::ldexp(1024 + half % 1024, static_cast<int>(half / 1024) - 25));
}

int smallest_exponent(const number_format& format) {
  if (format == e4m3_format) return -6;
  return format == f16_format || format == e5m2_format ? -14 : -126;
}

int exponent_of(double x, int smallest) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::max(exponent - 1, smallest);
}

/// c and the result are bits of d, which is f32 or f16.
template <class bits>
std::uint32_t second_reading(const number_format& d, const number_format& fa, const bits* a, const number_format& fb,
                             const bits* b, int k, std::uint32_t c_bits) {
  const bool half = d == f16_format;
  const int cut = sizeof(bits) == 1 ? 13 : 25, smallest = smallest_exponent(d);
  const double c = value_of(d, c_bits);
  std::vector<double> terms{c};
  std::vector<int> exponents{exponent_of(c, smallest)};
  double plain_sum = c;
  for (int i = 0; i < k; ++i) {
    const double x = value_of(fa, a[i]), y = value_of(fb, b[i]);
    terms.push_back(x * y);
    exponents.push_back(exponent_of(x, smallest_exponent(fa)) + exponent_of(y, smallest_exponent(fb)));
    plain_sum += x * y;
  }
  const std::uint32_t infinity = half ? 0x7c00u : 0x7f800000u, sign = half ? 0x8000u : 0x80000000u;
  if (std::isnan(plain_sum)) return half ? 0x7fffu : nan_result_bits;
  if (std::isinf(plain_sum)) return plain_sum > 0 ? infinity : sign | infinity;

  int largest = -10000;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i] != 0) largest = std::max(largest, exponents[i]);
  }
  double sum = 0;
  for (const double term : terms) sum += std::trunc(std::ldexp(term, cut - largest));
  sum = std::ldexp(sum, largest - cut);
  if (sum == 0) return 0;
  const int grain = exponent_of(sum, smallest) - (half ? 10 : sizeof(bits) == 1 ? 13 : 23);
  const double grains = std::ldexp(sum, -grain);
  const double result = std::ldexp(half ? std::nearbyint(grains) : std::trunc(grains), grain);
  if (result == 0) return 0;
  if (std::fabs(result) >= std::ldexp(1.0, half ? 16 : 128)) return result > 0 ? infinity : sign | infinity;
  if (!half) return bits_of(static_cast<float>(result));
  // A half is a whole number of 2^-24: below 2^-14 that number is its bits, and each binade above adds 1024 to them.
  const double magnitude = std::fabs(result);
  const int exponent = exponent_of(magnitude, -14);
  const auto bits_above = static_cast<std::uint32_t>(std::ldexp(magnitude, 10 - exponent));
  return (result < 0 ? sign : 0u) + static_cast<std::uint32_t>(exponent + 14) * 1024 + bits_above;
}

template <class bits>
void compare_readings(const number_format& d, const number_format& fa, const number_format& fb, int rounds) {
  const accumulation keep = accumulation_of(fa, fb, d);
  generator random;
  const int k = instruction_k(fa);
  int differing = 0;
  for (int round = 0; round < rounds; ++round) {
    const drawn kind = every_kind[round % 8];
    auto a = random.elements<bits>(fa, kind, k);
    auto b = random.elements<bits>(fb, every_kind[round / 8 % 3 == 0 ? (round + 3) % 8 : round % 8], k);
    const std::uint32_t c = random.accumulator_bits(d, kind);
    if (round / 8 % 4 == 1) make_cancel(fa, a.data(), b.data(), k);
    const std::uint32_t result = dot_accumulate(keep, fa, a.data(), fb, b.data(), k, c);
    if (result != second_reading(d, fa, a.data(), fb, b.data(), k, c)) ++differing;
  }
  CHECK(differing == 0);
}

TEST_CASE("numerics: every 8 and 16 bit pattern is decoded to its value") {
  for (const number_format& format : {f16_format, bf16_format, e4m3_format, e5m2_format}) {
    int differing = 0;
    for (std::uint32_t bits = 0; bits < 1u << format.storage_bits; ++bits) {
      const number x = decode(format, bits);
      const double value = value_of(format, bits);
      const double magnitude = std::ldexp(static_cast<double>(x.significand), x.exponent - x.fraction_bits);
      const bool right = x.kind == number_kind::nan        ? std::isnan(value)
                         : x.kind == number_kind::infinite ? std::isinf(value) && x.negative == (value < 0)
                         : x.kind == number_kind::zero     ? value == 0 && x.negative == std::signbit(value)
                                                           : value == (x.negative ? -magnitude : magnitude);
      if (!right) ++differing;
    }
    CHECK(differing == 0);
  }
}

TEST_CASE("numerics: the reference agrees with a second reading of the rule") {
  constexpr int rounds = 60'000;
  compare_readings<std::uint16_t>(f32_format, bf16_format, bf16_format, rounds);
  compare_readings<std::uint16_t>(f32_format, f16_format, f16_format, rounds);
  compare_readings<std::uint16_t>(f16_format, f16_format, f16_format, rounds);
  compare_readings<std::uint32_t>(f32_format, tf32_format, tf32_format, rounds);
  for (const number_format& d : {f32_format, f16_format}) {
    for (const number_format& a : {e4m3_format, e5m2_format}) {
      for (const number_format& b : {e4m3_format, e5m2_format}) compare_readings<std::uint8_t>(d, a, b, rounds / 2);
    }
  }
}

// D = f16: rounded to nearest even, once.

constexpr std::uint16_t f16_dot(const row_pair<std::uint16_t>& x, std::uint16_t c) {
  const accumulation keep = accumulation_of(f16_format, f16_format, f16_format);
  return static_cast<std::uint16_t>(dot_accumulate(keep, f16_format, x.a, f16_format, x.b, 16, c));
}
constexpr std::uint16_t one_product(float a, float b, float c) {
  return f16_dot(same(sectile::f16(a).bits, sectile::f16(b).bits, 1), sectile::f16(c).bits);
}
STATIC_CASE(one_product(1, 1, 2048) == sectile::f16(2048.0f).bits);  // 2049 lies halfway, 2048 is even
STATIC_CASE(one_product(1, 3, 2048) == sectile::f16(2052.0f).bits);  // 2051 likewise
STATIC_CASE(one_product(1, 1.0009765625f, 2048) == sectile::f16(2050.0f).bits);
STATIC_CASE(one_product(-1, 3, -2048) == sectile::f16(-2052.0f).bits);
STATIC_CASE(one_product(15, 1, 65504) == 0x7bff && one_product(16, 1, 65504) == 0x7c00);  // 65520 is too much
STATIC_CASE(one_product(-16, 1, -65504) == 0xfc00);
STATIC_CASE(one_product(256, 256, 0) == 0x7c00 && one_product(256, 256, -65504) == sectile::f16(32.0f).bits);
STATIC_CASE(one_product(power(-12), power(-13), 0) == 0);  // half of the smallest
STATIC_CASE(one_product(power(-12), 1.5f * power(-13), 0) == 1);
STATIC_CASE(one_product(power(-12), 3 * power(-13), 0) == 2);  // 1.5 times the smallest
STATIC_CASE(one_product(-power(-12), power(-13), 0) == 0);
STATIC_CASE(f16_dot(same<std::uint16_t>(0x7c00, 0x3c00, 1), 0) == 0x7c00);
STATIC_CASE(f16_dot(same<std::uint16_t>(0x7c00, 0x3c00, 1), 0xfc00) == 0x7fff);
STATIC_CASE(f16_dot(same<std::uint16_t>(0x7c00, 0, 1), 0) == 0x7fff);

TEST_CASE("numerics: where no term is cut, the result is the exact sum, truncated") {
  generator random;
  int differing = 0;
  for (int round = 0; round < 50'000; ++round) {
    // bf16 with exponents 0 to 5: every product is a multiple of 2^-14 and below 2^12, so nothing lies under 2^-25.
    std::uint16_t a[16], b[16];
    std::int64_t exact = random.between(-(1 << 24), 1 << 24);  // in units of 2^-14
    const float c = static_cast<float>(exact) * power(-14);
    for (int i = 0; i < 16; ++i) {
      const int x = random.between(128, 255) << random.between(0, 5), y = random.between(128, 255)
                                                                          << random.between(0, 5);
      const int sign = random.between(0, 1) == 0 ? 1 : -1;
      a[i] = bf16(static_cast<float>(sign * x) * power(-7));
      b[i] = bf16(static_cast<float>(y) * power(-7));
      exact += sign * x * y;
    }
    std::int64_t grain = 1;
    while (std::llabs(exact) / grain >= 1 << 24) grain *= 2;
    const float expected = static_cast<float>(exact / grain * grain) * power(-14);
    if (bits_of(dot_accumulate(bf16_format, a, b, 16, c)) != bits_of(expected)) ++differing;
  }
  CHECK(differing == 0);
}

}  // namespace
