// A thread's floating-point arithmetic on the CPU: what the verbs of hopper/arithmetic.hpp compute, rounded as the PTX
// instruction does (see arithmetic.cpp).
#pragma once

#include <cstdint>

namespace sectile::model {

struct arithmetic_verbs {
  static float add(float x, float y);
  static float subtract(float x, float y);
  static float multiply(float x, float y);
  static float divide(float x, float y);
  static float negate(float x);
  static float fma(float x, float y, float z);
  static float maximum(float x, float y);
  static float minimum(float x, float y);
  static float exp2(float x);
  static float reciprocal(float x);
  static float approximate_reciprocal(float x);
  static float sqrt(float x);
  static std::uint32_t pack_bf16(float low, float high);
  static std::uint32_t pack_f16(float low, float high);
  /// 16 bits, in the low half of the result.
  static std::uint32_t pack_e4m3(float low, float high);
  static std::uint32_t pack_e5m2(float low, float high);
  static std::uint32_t pack_s8(float low, float high);
  static std::uint32_t pack_u8(float low, float high);
  static std::uint32_t f16_of_e4m3(std::uint32_t pair);
  static float low_f16(std::uint32_t pair);
  static float high_f16(std::uint32_t pair);
  static constexpr std::uint32_t and_xor(std::uint32_t x, std::uint32_t mask, std::uint32_t bits) {
    return (x & mask) ^ bits;
  }
  static std::uint32_t sub_bf16x2(std::uint32_t x, std::uint32_t y);
  static std::uint32_t sub_f16x2(std::uint32_t x, std::uint32_t y);
  static std::uint32_t mul_bf16x2(std::uint32_t x, std::uint32_t y);
  static std::uint32_t mul_f16x2(std::uint32_t x, std::uint32_t y);
  static float to_float(std::int32_t x);
};

}  // namespace sectile::model
