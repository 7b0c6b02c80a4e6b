// The fast form of wgmma's arithmetic against the reference, on every host instruction set.
#include <doctest/doctest.h>

#include "random_numbers.hpp"

namespace {

using namespace sectile::model;
using namespace kit;

constexpr std::size_t at(int row, int stride = 1) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(stride);
}

enum class form { dense, sparse };

/// `d` is f32 or f16; sparse: each element of A meets any of twice as many of B.
template <class bits>
void compare_tiles(const number_format& d_format, const number_format& fa, const number_format& fb, form f,
                   int rounds) {
  generator random;
  constexpr int m = 16, padding = 3;
  const accumulation keep = accumulation_of(fa, fb, d_format);
  const auto to_bits = [&](float x) { return d_format == f16_format ? sectile::f16(x).bits : bits_of(x); };
  const auto to_float = [&](std::uint32_t x) {
    return d_format == f16_format ? static_cast<float>(sectile::f16(static_cast<std::uint16_t>(x))) : f32(x);
  };
  const int k = instruction_k(fa), b_k = f == form::sparse ? 2 * k : k, a_stride = k + 5, b_stride = b_k + 5;
  int differing = 0, outside = 0;
  for (int round = 0; round < rounds; ++round) {
    const drawn kind = every_kind[round % 8];
    const int n = round % 5 == 0 ? random.between(1, 40) : 8 * random.between(1, 5);
    const int d_stride = n + padding;
    auto a = random.elements<bits>(fa, kind, m * a_stride);
    auto b = random.elements<bits>(fb, every_kind[round / 8 % 3 == 0 ? (round + 3) % 8 : round % 8], n * b_stride);
    if (round / 8 % 4 == 1) {
      for (int row = 0; row < std::min(m, n); ++row) make_cancel(fa, &a[at(row, a_stride)], &b[at(row, b_stride)], k);
    }
    std::vector<std::uint8_t> met(at(m, k));
    for (std::uint8_t& place : met) place = static_cast<std::uint8_t>(random.between(0, b_k - 1));
    const scale_d scale = round % 7 == 0 ? scale_d::zero : scale_d::one;
    std::vector<float> before(static_cast<std::size_t>(m * d_stride));
    for (float& c : before) c = to_float(random.accumulator_bits(d_format, kind));

    std::vector<std::uint32_t> expected;
    for (int row = 0; row < m; ++row) {
      for (int column = 0; column < n; ++column) {
        bits terms[32];
        for (int i = 0; i < k; ++i)
          terms[i] = b[at(column, b_stride) + (f == form::sparse ? met[at(row, k) + at(i)] : at(i))];
        const float c = scale == scale_d::one ? before[at(row, d_stride) + at(column)] : 0.0f;
        expected.push_back(dot_accumulate(keep, fa, &a[at(row, a_stride)], fb, terms, k, to_bits(c)));
      }
    }
    for (int level = 0; level <= static_cast<int>(best_host_vectors()); ++level) {
      std::vector<float> d = before;
      multiply_accumulate<bits>(keep, d.data(), d_stride,
                                {a.data(), a_stride, fa, f == form::sparse ? met.data() : nullptr},
                                {b.data(), b_stride, fb}, m, n, scale, static_cast<host_vectors>(level));
      for (int row = 0; row < m; ++row) {
        for (int column = 0; column < d_stride; ++column) {
          const float result = d[at(row, d_stride) + at(column)];
          if (column < n) {
            differing += to_bits(result) != expected[at(row, n) + at(column)];
          } else {
            outside += bits_of(result) != bits_of(before[at(row, d_stride) + at(column)]);
          }
        }
      }
    }
  }
  CHECK(differing == 0);
  CHECK(outside == 0);
}

TEST_CASE("numerics: the fast form gives the bits of the reference") {
  compare_tiles<std::uint16_t>(f32_format, bf16_format, bf16_format, form::dense, 800);
  compare_tiles<std::uint16_t>(f32_format, bf16_format, bf16_format, form::sparse, 200);
  for (const form f : {form::dense, form::sparse}) {
    compare_tiles<std::uint16_t>(f32_format, f16_format, f16_format, f, 200);
    compare_tiles<std::uint16_t>(f16_format, f16_format, f16_format, f, 400);
    compare_tiles<std::uint32_t>(f32_format, tf32_format, tf32_format, f, 300);
  }
  for (const number_format& d : {f32_format, f16_format}) {
    for (const number_format& a : {e4m3_format, e5m2_format}) {
      for (const number_format& b : {e4m3_format, e5m2_format}) compare_tiles<std::uint8_t>(d, a, b, form::dense, 100);
    }
    compare_tiles<std::uint8_t>(d, e4m3_format, e5m2_format, form::sparse, 100);
  }
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
