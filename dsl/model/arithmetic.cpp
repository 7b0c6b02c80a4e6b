// One thread's floating-point arithmetic as PTX defines it: f32, rounded to nearest even, subnormals kept, every NaN
// result the canonical one.
//
// These are functions of their own, and not inline, so that no compiler fuses a product and a sum into one rounding.
// Two differ from the chip by intent: ex2.approx has an error of up to 2^-22 of its own, which is not documented bit by
// bit; exp2 and approximate_reciprocal are the correctly rounded values here, so their last bits may differ. reciprocal
// is rcp.rn, which both machines compute exactly.
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <sectile/dsl/model/machine.hpp>
#include <sectile/dsl/model/verb_log.hpp>
#include <sectile/layouts/element.hpp>
#include <utility>

namespace sectile::model {
namespace {

float canonical(float x) { return x == x ? x : std::bit_cast<float>(0x7FFF'FFFFu); }

bool is_subnormal(float x) {
  const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(x) & 0x7FFF'FFFFu;
  return magnitude != 0 && magnitude < 0x0080'0000u;
}

float flushed(float x) { return is_subnormal(x) ? std::copysign(0.0f, x) : x; }

/// The result, once it is counted as one operation of that kind.
template <class T>
T counted(std::uint32_t arithmetic_count::*kind, T result) {
  if (executed_arithmetic != nullptr) ++(executed_arithmetic->*kind);
  return result;
}
using count = arithmetic_count;

}  // namespace

uncounted_arithmetic::uncounted_arithmetic() : counting_(std::exchange(executed_arithmetic, nullptr)) {}
uncounted_arithmetic::~uncounted_arithmetic() { executed_arithmetic = counting_; }

float arithmetic_verbs::add(float x, float y) { return counted(&count::plain, canonical(x + y)); }
float arithmetic_verbs::subtract(float x, float y) { return counted(&count::plain, canonical(x - y)); }
float arithmetic_verbs::multiply(float x, float y) { return counted(&count::plain, canonical(x * y)); }
float arithmetic_verbs::divide(float x, float y) { return counted(&count::special, canonical(x / y)); }
float arithmetic_verbs::negate(float x) { return counted(&count::plain, canonical(-x)); }
float arithmetic_verbs::fma(float x, float y, float z) { return counted(&count::plain, canonical(std::fma(x, y, z))); }
float arithmetic_verbs::reciprocal(float x) { return counted(&count::special, canonical(1.0f / x)); }
float arithmetic_verbs::approximate_reciprocal(float x) {
  return counted(&count::special, canonical(flushed(1.0f / flushed(x))));
}
float arithmetic_verbs::sqrt(float x) { return counted(&count::special, canonical(std::sqrt(x))); }

// max.f32: a NaN gives way to the other operand, and +0 is larger than -0.
float arithmetic_verbs::maximum(float x, float y) {
  const float among_numbers = x == y ? (std::signbit(x) ? y : x) : x > y ? x : y;
  return counted(&count::comparisons, x != x ? canonical(y) : y != y ? x : among_numbers);
}

// min.f32: a NaN gives way to the other operand, and -0 is smaller than +0.
float arithmetic_verbs::minimum(float x, float y) {
  const float among_numbers = x == y ? (std::signbit(x) ? x : y) : x < y ? x : y;
  return counted(&count::comparisons, x != x ? canonical(y) : y != y ? x : among_numbers);
}

// ex2.approx.ftz: subnormal inputs and results become zero.
float arithmetic_verbs::exp2(float x) {
  return counted(&count::special, canonical(flushed(static_cast<float>(std::exp2(static_cast<double>(flushed(x)))))));
}

// cvt.rn.bf16x2.f32: the first source goes to the upper half; NaN becomes 0x7FFF.
std::uint32_t arithmetic_verbs::pack_bf16(float low, float high) {
  return counted(&count::conversions, static_cast<std::uint32_t>(bf16(high).bits) << 16 | bf16(low).bits);
}

// cvt.rn.f16x2.f32: too large a number becomes an infinity.
std::uint32_t arithmetic_verbs::pack_f16(float low, float high) {
  return counted(&count::conversions, static_cast<std::uint32_t>(f16(high).bits) << 16 | f16(low).bits);
}

// cvt.rn.satfinite.e4m3x2.f32 and .e5m2x2: too large a number becomes the largest finite one.
std::uint32_t arithmetic_verbs::pack_e4m3(float low, float high) {
  return counted(&count::conversions, static_cast<std::uint32_t>(e4m3(high).bits) << 8 | e4m3(low).bits);
}
std::uint32_t arithmetic_verbs::pack_e5m2(float low, float high) {
  return counted(&count::conversions, static_cast<std::uint32_t>(e5m2(high).bits) << 8 | e5m2(low).bits);
}

// cvt.rni.s32.f32, then cvt.pack.sat to 8 bits
std::uint32_t arithmetic_verbs::pack_s8(float low, float high) {
  return counted(&count::conversions, static_cast<std::uint32_t>(static_cast<std::uint8_t>(rounded_to<s8>(high))) << 8 |
                                          static_cast<std::uint8_t>(rounded_to<s8>(low)));
}
std::uint32_t arithmetic_verbs::pack_u8(float low, float high) {
  return counted(&count::conversions, static_cast<std::uint32_t>(rounded_to<u8>(high)) << 8 | rounded_to<u8>(low));
}

// cvt.rn.f16x2.e4m3x2
std::uint32_t arithmetic_verbs::f16_of_e4m3(std::uint32_t pair) {
  const auto half = [](std::uint32_t bits) {
    const e4m3 x = e4m3::from_bits(static_cast<std::uint8_t>(bits));
    return bits % 128 == 127 ? 0x7FFFu : std::uint32_t{f16(static_cast<float>(x)).bits};  // a NaN loses its sign
  };
  return counted(&count::conversions, half(pair & 0xFF) | half(pair >> 8 & 0xFF) << 16);
}

// cvt.f32.f16
float arithmetic_verbs::low_f16(std::uint32_t pair) {
  return counted(&count::conversions, canonical(static_cast<float>(f16::from_bits(static_cast<std::uint16_t>(pair)))));
}
float arithmetic_verbs::high_f16(std::uint32_t pair) { return low_f16(pair >> 16); }

// sub.rn and mul.rn of bf16x2 and f16x2: what f32 makes of two that is rounded once more is right, since f32 has more
// than twice as many bits. (Of a product among bf16's subnormals it has too few, unless one factor is a few bits long.)
template <class T, class Make>
static std::uint32_t of_halves(std::uint32_t x, std::uint32_t y, Make make) {
  const auto half = [&](int first) {
    const auto number = [&](std::uint32_t pair) {
      return static_cast<float>(T::from_bits(static_cast<std::uint16_t>(pair >> first)));
    };
    return std::uint32_t{T(make(number(x), number(y))).bits} << first;
  };
  return counted(&count::conversions, half(0) | half(16));
}
std::uint32_t arithmetic_verbs::sub_bf16x2(std::uint32_t x, std::uint32_t y) {
  return of_halves<bf16>(x, y, std::minus());
}
std::uint32_t arithmetic_verbs::sub_f16x2(std::uint32_t x, std::uint32_t y) {
  return of_halves<f16>(x, y, std::minus());
}
std::uint32_t arithmetic_verbs::mul_bf16x2(std::uint32_t x, std::uint32_t y) {
  return of_halves<bf16>(x, y, std::multiplies());
}
std::uint32_t arithmetic_verbs::mul_f16x2(std::uint32_t x, std::uint32_t y) {
  return of_halves<f16>(x, y, std::multiplies());
}

// cvt.rn.f32.s32
float arithmetic_verbs::to_float(std::int32_t x) { return counted(&count::conversions, static_cast<float>(x)); }

}  // namespace sectile::model
