// The arithmetic of wgmma: the reference against known vectors, against a second reading of the rule in doubles, and
// against exact sums where the rule loses nothing; the fast form against the reference, on every host instruction set.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <sectile/dsl/model/numerics.hpp>

namespace {

using namespace sectile::model;

constexpr std::uint32_t nan_result = 0x7fffffffu;

constexpr std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
constexpr float f32(std::uint32_t bits) { return std::bit_cast<float>(bits); }

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
static_assert(instruction_k(bf16_format) == 16 && instruction_k(tf32_format) == 8 && instruction_k(e5m2_format) == 32);
static_assert(accumulation_of(f16_format) == accumulation{25, 23} &&
              accumulation_of(e4m3_format) == accumulation{13, 13});

// Predicted vectors: an fp8 instruction cuts C to 13 bits, and drops what lies below 2^-13 of the largest exponent.
static_assert(fp8_dot({}, 1 + power(-20)) == 1);
static_assert(fp8_dot(same(e4m3(power(-6)), std::uint8_t{2}), 1) == 1);  // the byte 2 is 2^-8
static_assert(fp8_dot(same(e4m3(power(-6)), std::uint8_t{4}), 1) == 1 + power(-8));
static_assert(fp8_dot(with_first(same(e4m3(1), e4m3(1)), e4m3(448), e4m3(448)), 0) == 200704);
static_assert(fp8_dot(with_first(same(e4m3(4), e4m3(4)), e4m3(448), e4m3(448)), 0) == 201200);
static_assert(fp8_dot(with_first(same(e4m3(-1), e4m3(1)), e4m3(448), e4m3(448)), 0) == 200704);

static_assert(bf16_dot(same(bf16(power(-10)), bf16(power(-15))), 1) == 1 + power(-21));
static_assert(bf16_dot(same(bf16(power(-10)), bf16(power(-16))), 1) == 1);
static_assert(bf16_dot(same(bf16(power(-10)), bf16(power(-15)), 3), 1) == 1);

constexpr float cancel(int half_exponent) {
  row_pair<std::uint16_t> x{{bf16(power(half_exponent)), bf16(1), bf16(-power(half_exponent))},
                            {bf16(power(half_exponent)), bf16(1), bf16(power(half_exponent))}};
  return bf16_dot(x, 0);
}
static_assert(cancel(12) == 1);  // 2^24 + 1 - 2^24
static_assert(cancel(13) == 0);  // 2^26 + 1 - 2^26

// A product is not renormalised: 1.5 * 1.5 aligns at exponent 0 although it is 2.25, and so 2^-25 is not lost beside
// it.
constexpr float beside_products_over_two() {
  row_pair<std::uint16_t> x = same(bf16(power(-12)), bf16(power(-13)), 8);
  x = with_first(x, bf16(1.5f), bf16(1.5f));
  x.a[8] = bf16(1.5f);
  x.b[8] = bf16(-1.5f);
  return bf16_dot(x, 0);
}
static_assert(beside_products_over_two() == 7 * power(-25));

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
  CHECK(dot(nan, one, one, one, 0) == nan_result);
  CHECK(dot(one, nan, zero, one, 0) == nan_result);
  CHECK(dot(inf, zero, one, one, 0) == nan_result);
  CHECK(dot(inf, one, minus_inf, one, 0) == nan_result);
  CHECK(dot(inf, one, one, one, -infinity) == nan_result);
  CHECK(dot(one, one, one, one, f32(0xffc00001u)) == nan_result);
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
  CHECK(bits_of(fp8_dot(same(std::uint8_t{0x7f}, e4m3(1)), 0)) == nan_result);
  CHECK(bits_of(fp8_dot(same(std::uint8_t{0xff}, e4m3(1)), 0)) == nan_result);
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

template <class bits>
std::uint32_t second_reading(const number_format& fa, const bits* a, const number_format& fb, const bits* b, int k,
                             float c) {
  const int cut = sizeof(bits) == 1 ? 13 : 25;
  std::vector<double> terms{static_cast<double>(c)};
  std::vector<int> exponents{exponent_of(static_cast<double>(c), -126)};
  double plain_sum = static_cast<double>(c);
  for (int i = 0; i < k; ++i) {
    const double x = value_of(fa, a[i]), y = value_of(fb, b[i]);
    terms.push_back(x * y);
    exponents.push_back(exponent_of(x, smallest_exponent(fa)) + exponent_of(y, smallest_exponent(fb)));
    plain_sum += x * y;
  }
  if (std::isnan(plain_sum)) return nan_result;
  if (std::isinf(plain_sum)) return plain_sum > 0 ? 0x7f800000u : 0xff800000u;

  int largest = -10000;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i] != 0) largest = std::max(largest, exponents[i]);
  }
  double sum = 0;
  for (const double term : terms) sum += std::trunc(std::ldexp(term, cut - largest));
  sum = std::ldexp(sum, largest - cut);
  if (sum == 0) return 0;
  const int grain = exponent_of(sum, -126) - (sizeof(bits) == 1 ? 13 : 23);
  const double result = std::ldexp(std::trunc(std::ldexp(sum, -grain)), grain);
  if (std::fabs(result) >= std::ldexp(1.0, 128)) return result > 0 ? 0x7f800000u : 0xff800000u;
  return result == 0 ? 0 : bits_of(static_cast<float>(result));
}

// Random operands.

/// What to draw. The exponents of `near_*` put the largest exponent of a dot product next to a limit of the fast form.
enum class drawn { anything, moderate, wide, tiny, huge, near_lowest, near_highest, small_integers };
constexpr drawn every_kind[] = {drawn::anything, drawn::moderate,    drawn::wide,         drawn::tiny,
                                drawn::huge,     drawn::near_lowest, drawn::near_highest, drawn::small_integers};

struct generator {
  std::mt19937 engine{20240607};

  std::uint32_t word() { return static_cast<std::uint32_t>(engine()); }
  int between(int low, int high) { return low + static_cast<int>(word() % static_cast<std::uint32_t>(high - low + 1)); }

  /// A sign, an exponent field clamped to the finite numbers, and a fraction; now and then zero.
  std::uint32_t element(const number_format& format, drawn kind) {
    const int fraction_end = format.fraction_bits + format.ignored_bits;
    const int top = (1 << format.exponent_bits) - 2;
    const std::uint32_t any = word() & (0xffffffffu >> (32 - format.storage_bits));
    int low = 0, high = top;
    switch (kind) {
      case drawn::anything:
        return any;
      case drawn::moderate:
        low = format.bias() - 3, high = format.bias() + 3;
        break;
      case drawn::wide:
        break;
      case drawn::tiny:
        high = 2;
        break;
      case drawn::huge:
        low = top - 2;
        break;
      case drawn::near_lowest:
        low = format.bias() - 53, high = format.bias() - 49;
        break;
      case drawn::near_highest:
        low = format.bias() + 58, high = format.bias() + 62;
        break;
      case drawn::small_integers:
        low = format.bias(), high = format.bias() + 2;
        break;
    }
    const int field = std::min(std::max(between(low, high), 0), top);
    std::uint32_t fraction = any & ((1u << fraction_end) - 1);
    if (kind == drawn::small_integers) fraction &= 3u << (fraction_end - 2);
    const std::uint32_t magnitude = static_cast<std::uint32_t>(field) << fraction_end | fraction;
    const std::uint32_t sign = any & (1u << (format.storage_bits - 1));
    return between(0, 9) == 0 ? sign : sign | magnitude;
  }

  template <class bits>
  std::vector<bits> elements(const number_format& format, drawn kind, int count) {
    std::vector<bits> drawn_bits(static_cast<std::size_t>(count));
    for (bits& x : drawn_bits) x = static_cast<bits>(element(format, kind));
    return drawn_bits;
  }

  float accumulator(drawn kind) {
    if (between(0, 3) == 0) return 0.0f;
    return f32(element(f32_format, kind == drawn::near_lowest || kind == drawn::near_highest ? drawn::wide : kind));
  }
};

/// Lets the second half of a row cancel the first, up to what c adds and a last product.
template <class bits>
void make_cancel(const number_format& format, bits* a, bits* b, int k) {
  for (int i = 0; i + k / 2 < k - 1; ++i) {
    a[i + k / 2] = static_cast<bits>(a[i] ^ (1u << (format.storage_bits - 1)));
    b[i + k / 2] = b[i];
  }
}

template <class bits>
void compare_readings(const number_format& fa, const number_format& fb, int rounds) {
  generator random;
  const int k = instruction_k(fa);
  int differing = 0;
  for (int round = 0; round < rounds; ++round) {
    const drawn kind = every_kind[round % 8];
    auto a = random.elements<bits>(fa, kind, k);
    auto b = random.elements<bits>(fb, every_kind[round / 8 % 3 == 0 ? (round + 3) % 8 : round % 8], k);
    const float c = random.accumulator(kind);
    if (round / 8 % 4 == 1) make_cancel(fa, a.data(), b.data(), k);
    const float result = dot_accumulate(fa, a.data(), fb, b.data(), k, c);
    if (bits_of(result) != second_reading(fa, a.data(), fb, b.data(), k, c)) ++differing;
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
  compare_readings<std::uint16_t>(bf16_format, bf16_format, rounds);
  compare_readings<std::uint16_t>(f16_format, f16_format, rounds);
  compare_readings<std::uint32_t>(tf32_format, tf32_format, rounds);
  compare_readings<std::uint8_t>(e4m3_format, e4m3_format, rounds);
  compare_readings<std::uint8_t>(e4m3_format, e5m2_format, rounds);
  compare_readings<std::uint8_t>(e5m2_format, e4m3_format, rounds);
  compare_readings<std::uint8_t>(e5m2_format, e5m2_format, rounds);
}

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

// The fast form.

constexpr std::size_t at(int row, int stride = 1) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(stride);
}

template <class bits>
void compare_tiles(const number_format& fa, const number_format& fb, int rounds) {
  generator random;
  constexpr int m = 16, padding = 3;
  const int k = instruction_k(fa), stride = k + 5;
  int differing = 0, outside = 0;
  for (int round = 0; round < rounds; ++round) {
    const drawn kind = every_kind[round % 8];
    const int n = round % 5 == 0 ? random.between(1, 40) : 8 * random.between(1, 5);
    const int d_stride = n + padding;
    auto a = random.elements<bits>(fa, kind, m * stride);
    auto b = random.elements<bits>(fb, every_kind[round / 8 % 3 == 0 ? (round + 3) % 8 : round % 8], n * stride);
    if (round / 8 % 4 == 1) {
      for (int row = 0; row < std::min(m, n); ++row) make_cancel(fa, &a[at(row, stride)], &b[at(row, stride)], k);
    }
    const scale_d scale = round % 7 == 0 ? scale_d::zero : scale_d::one;
    std::vector<float> before(static_cast<std::size_t>(m * d_stride));
    for (float& c : before) c = random.accumulator(kind);

    for (int level = 0; level <= static_cast<int>(best_host_vectors()); ++level) {
      std::vector<float> d = before;
      multiply_accumulate<bits>(d.data(), d_stride, {a.data(), stride, fa}, {b.data(), stride, fb}, m, n, scale,
                                static_cast<host_vectors>(level));
      for (int row = 0; row < m; ++row) {
        for (int column = 0; column < d_stride; ++column) {
          const float result = d[at(row, d_stride) + at(column)], c = before[at(row, d_stride) + at(column)];
          if (column >= n) {
            outside += bits_of(result) != bits_of(c);
            continue;
          }
          const float expected =
              dot_accumulate(fa, &a[at(row, stride)], fb, &b[at(column, stride)], k, scale == scale_d::one ? c : 0.0f);
          differing += bits_of(result) != bits_of(expected);
        }
      }
    }
  }
  CHECK(differing == 0);
  CHECK(outside == 0);
}

TEST_CASE("numerics: the fast form gives the bits of the reference") {
  compare_tiles<std::uint16_t>(bf16_format, bf16_format, 800);
  compare_tiles<std::uint16_t>(f16_format, f16_format, 400);
  compare_tiles<std::uint32_t>(tf32_format, tf32_format, 400);
  compare_tiles<std::uint8_t>(e4m3_format, e4m3_format, 150);
  compare_tiles<std::uint8_t>(e4m3_format, e5m2_format, 150);
  compare_tiles<std::uint8_t>(e5m2_format, e4m3_format, 150);
  compare_tiles<std::uint8_t>(e5m2_format, e5m2_format, 150);
}

TEST_CASE("numerics: the largest sums of the fast form do not overflow") {
  // All significands at their largest, at one exponent, and c of the same sign: just over 2^31 units in 16-bit formats.
  const auto check = [](const number_format& format, auto largest_below_two) {
    using bits = decltype(largest_below_two);
    const int k = instruction_k(format);
    const std::vector<bits> b(static_cast<std::size_t>(8 * k), largest_below_two);
    const auto minus = static_cast<bits>(largest_below_two ^ (1u << (format.storage_bits - 1)));
    for (const bits element : {largest_below_two, minus}) {
      const std::vector<bits> a(static_cast<std::size_t>(8 * k), element);
      for (const float c : {f32(0x3fffffffu), -f32(0x3fffffffu), 1.0f, -1.0f}) {
        std::vector<float> d(64, c);
        multiply_accumulate<bits>(d.data(), 8, {a.data(), k, format}, {b.data(), k, format}, 8, 8, scale_d::one);
        CHECK(bits_of(d[0]) == bits_of(dot_accumulate(format, a.data(), b.data(), k, c)));
        CHECK(bits_of(d[63]) == bits_of(d[0]));
      }
    }
  };
  check(bf16_format, std::uint16_t{0x3fff});
  check(f16_format, std::uint16_t{0x3fff});
  check(tf32_format, std::uint32_t{0x3fffffff});
  check(e4m3_format, std::uint8_t{0x3f});
  check(e5m2_format, std::uint8_t{0x3f});
}

}  // namespace
