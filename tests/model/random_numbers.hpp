// Random numbers of any format for the tests of the arithmetic, with exponents near the limits of the fast form.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <sectile/dsl/model/numerics.hpp>
#include <vector>

namespace kit {

using sectile::model::f32_format;
using sectile::model::number_format;

constexpr std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
constexpr float f32(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// What to draw. The exponents of `near_*` put the largest exponent of a dot product next to a limit of the fast form.
enum class drawn { anything, moderate, wide, tiny, huge, near_lowest, near_highest, small_integers };
inline constexpr drawn every_kind[] = {drawn::anything, drawn::moderate,    drawn::wide,         drawn::tiny,
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

  std::uint32_t accumulator_bits(const number_format& d, drawn kind) {
    if (between(0, 3) == 0) return 0;
    return element(d, kind == drawn::near_lowest || kind == drawn::near_highest ? drawn::wide : kind);
  }
  float accumulator(drawn kind) { return f32(accumulator_bits(f32_format, kind)); }
};

/// Lets the second half of a row cancel the first, up to what c adds and a last product.
template <class bits>
void make_cancel(const number_format& format, bits* a, bits* b, int k) {
  for (int i = 0; i + k / 2 < k - 1; ++i) {
    a[i + k / 2] = static_cast<bits>(a[i] ^ (1u << (format.storage_bits - 1)));
    b[i + k / 2] = b[i];
  }
}

}  // namespace kit
