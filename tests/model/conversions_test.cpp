// What a thread does with its own numbers: conversions between types, and exchanges within a warp.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "operands.hpp"

using namespace kit;
using sectile::model::simulate;

namespace {

TEST_CASE("a shuffle takes the word of any lane") {
  simulate(warpgroup, {.workers = 1}, [&](machine& hw) {
    const int lane = hw.thread() % 32, from = (7 * lane + 3) % 32;
    const auto mine = static_cast<std::uint32_t>(hw.thread());
    CHECK(hw.shuffle(mine, from) == mine - static_cast<std::uint32_t>(lane) + static_cast<std::uint32_t>(from));
    CHECK(hw.shuffle(0xFFC00000u + mine, 0) == 0xFFC00000u + mine - static_cast<std::uint32_t>(lane));
  });
  const auto found = hazard_of(warpgroup, [](machine& hw) { static_cast<void>(hw.shuffle(0, 32)); });
  REQUIRE(found);
  CHECK(found->says("shuffle of thread 0: lane 32 is not in 0..31"));
}

TEST_CASE("packing rounds to nearest even, f16 to infinity and the 8-bit types to their largest") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(machine::pack_f16(1.0f, -2.0f) == 0xC0003C00);
  CHECK(machine::pack_f16(2049.0f, 2051.0f) == 0x68026800);
  CHECK(machine::pack_f16(65519.0f, 65520.0f) == 0x7C007BFF);
  CHECK(machine::pack_f16(nan, -infinity) == 0xFC007FFF);
  CHECK(machine::pack_f16(std::ldexp(1.0f, -25), std::ldexp(3.0f, -26)) == 0x00010000);
  CHECK(machine::pack_e4m3(1.0f, -448.0f) == 0xFE38);
  CHECK(machine::pack_e4m3(1000.0f, nan) == 0x7F7E);
  CHECK(machine::pack_e4m3(1.0625f, 1.1875f) == 0x3A38);  // ties between 1, 1.125 and 1.25
  CHECK(machine::pack_e5m2(1.0f, -infinity) == 0xFB3C);
  CHECK(machine::pack_e5m2(1.125f, 1.375f) == 0x3E3C);
  CHECK(machine::pack_s8(2.5f, -3.5f) == 0xFC02);  // ties to even
  CHECK(machine::pack_s8(127.5f, -128.5f) == 0x807F);
  CHECK(machine::pack_s8(nan, -infinity) == 0x8000);
  CHECK(machine::pack_u8(-0.75f, 255.4f) == 0xFF00);
  CHECK(machine::pack_u8(infinity, 0.5f) == 0x00FF);

  for (int bits = 0; bits < 256; ++bits) {  // both halves, each element
    const std::uint32_t halves = machine::f16_of_e4m3(static_cast<std::uint32_t>(bits | (bits ^ 0x80) << 8));
    const float x = static_cast<float>(sectile::e4m3::from_bits(static_cast<std::uint8_t>(bits)));
    CHECK((bits % 128 == 127 ? halves == 0x7FFF7FFFu
                             : machine::low_f16(halves) == x && machine::high_f16(halves) == -x));
  }

  CHECK(machine::low_f16(0x3C007BFF) == 65504.0f);
  CHECK(machine::high_f16(0x00017BFF) == std::ldexp(1.0f, -24));
  CHECK(std::bit_cast<std::uint32_t>(machine::low_f16(0xFE00)) == 0x7FFFFFFF);
  CHECK(machine::high_f16(0xFC000000) == -infinity);

  for (std::uint32_t code = 0; code < 16; ++code) {  // 128 + code, 1024 + code: what integers of 4 bits become
    const float less_8 = static_cast<float>(code) - 8.0f;
    CHECK(machine::sub_bf16x2(0x43004300 | code << 16, 0x43084300) == machine::pack_bf16(0, less_8));
    CHECK(machine::sub_f16x2(0x64006400 | code, 0x64006408) == machine::pack_f16(less_8, 0));
  }
  CHECK(machine::sub_bf16x2(0x3F803F80, 0x3B003B80) == 0x3F803F7F);  // 1 - 2^-8 is exact, 1 - 2^-9 a tie
  CHECK(machine::sub_f16x2(0x3C00, 0x0C00) == 0x3C00);
  CHECK(machine::mul_bf16x2(0x3F814000, 0x3F81C0E0) == 0x3F82C160);  // 1 + 2^-6 + 2^-14, -14
  CHECK(machine::mul_bf16x2(0x3F83, 0x3F83) == 0x3F86);              // 1 + 6 / 128 + 9 / 2^14
  CHECK(machine::mul_bf16x2(0x00017F80, 0x3F000000) == 0x00007FFF);  // a tie among subnormals, infinity times 0
  CHECK(machine::mul_f16x2(0x3C013C00, 0x3C01BC00) == 0x3C02BC00);   // 1 + 2^-9 + 2^-20

  CHECK(machine::to_float(-7) == -7.0f);
  CHECK(machine::to_float((1 << 24) + 1) == 16777216.0f);
  CHECK(machine::to_float((1 << 24) + 3) == 16777220.0f);
  CHECK(machine::to_float(std::numeric_limits<std::int32_t>::min()) == -2147483648.0f);
}

}  // namespace
