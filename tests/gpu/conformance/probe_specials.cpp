// Signs of zero, overflow, NaN and infinities, what tf32 drops, negated operands.
#include <cmath>
#include <cstdio>

#include "probe.hpp"
#include "probe_kit.hpp"

namespace sectile::conformance {
namespace {

std::uint32_t sign_of(const element& e) { return 1u << (e.bits - 1); }

/// A NaN with the highest bit of its fraction set; e4m3 has only one.
std::uint32_t nan_of(const element& e) {
  return e.exponent_bits == 4 ? 0x7F : infinity_bits(e) | 1u << (e.bits - 2 - e.exponent_bits);
}

std::uint32_t payload(const element& d, std::uint32_t of_f16, std::uint32_t of_f32) {
  return d.bits == 16 ? of_f16 : of_f32;
}

void zeros(gpu_runner& gpu) {
  std::puts("\n(a) the sign of a zero result");
  ask_all(gpu, "products +0, C -0", [](auto& q) { q.rest(0.0, 0.0).plus(-0.0); });
  ask_all(
      gpu, "products -0, C -0", [](auto& q) { q.rest(-0.0, 1).plus(-0.0); }, true);
  ask_all(gpu, "products -0 (0 * -1), C -0", [](auto& q) { q.rest(0.0, -1).plus(-0.0); });
  ask_all(gpu, "products -0, C +0", [](auto& q) { q.rest(-0.0, 1).plus(0.0); });
  ask_all(gpu, "products -0, scale-d 0", [](auto& q) { q.rest(-0.0, 1).overwrite(); });
  ask_all(gpu, "1 - 1, others -0, C -0", [](auto& q) { q.times(1, 1).times(-1, 1).rest(-0.0, 1).plus(-0.0); });
  ask_all(gpu, "-1 from products, C 1", [](auto& q) { q.times(-1, 1).plus(1); });
  ask_all(gpu, "1 from products, C -1", [](auto& q) { q.times(1, 1).plus(-1); });
  ask_all(gpu, "the smallest product, negative, C +0", [](auto& q) { q.times(-smallest(q.w.a), smallest(q.w.b)); });
  ask_all(gpu, "the smallest product, negative, C -0, others -0",
          [](auto& q) { q.times(-smallest(q.w.a), smallest(q.w.b)).rest(-0.0, 1).plus(-0.0); });
  ask(gpu, "-2^-150", bf16_f32, [](auto& q) { q.times(-power(-75), power(-75)); });
  ask(gpu, "-2^-26 (rounds to zero)", f16_f16, [](auto& q) { q.times(-power(-13), power(-13)); });
  ask(gpu, "-2^-25 (tie)", f16_f16, [](auto& q) { q.times(-power(-13), power(-12)); });
  ask(gpu, "-2^-25 - 2^-26", f16_f16, [](auto& q) { q.times(-power(-13), power(-12)).times(-power(-13), power(-13)); });
  ask(gpu, "+2^-25 (tie)", f16_f16, [](auto& q) { q.times(power(-13), power(-12)); });
  ask(gpu, "2^13 - 2^13 - 2^-15 (the last cut away)", f16_f32,
      [](auto& q) { q.times(power(7), power(6)).times(-power(7), power(6)).times(-power(-8), power(-7)); });
}

void overflow(gpu_runner& gpu) {
  std::puts("\n(b) overflow");
  const double top = power(127);
  for (const int f : {bf16_f32, tf32_f32}) {
    ask(gpu, "2^127 + 2^127", f, [&](auto& q) { q.times(top, 1, 2); });
    ask(gpu, "-2^127 - 2^127", f, [&](auto& q) { q.times(-top, 1, 2); });
    ask(gpu, "2^127 * 2", f, [&](auto& q) { q.times(top, 2); });
    ask(gpu, "2^127 * 2^127", f, [&](auto& q) { q.times(top, top); });
    ask(gpu, "2^127 * 2^127 - 2^127 * 2^127", f, [&](auto& q) { q.times(top, top).times(-top, top); });
    ask(gpu, "2^127 * 2^127 - 2^127 * 2^127 + 1", f, [&](auto& q) { q.times(top, top).times(-top, top).plus(1); });
    ask(gpu, "2^127 * 2 - 2^127 * 2 + 2^110", f,
        [&](auto& q) { q.times(top, 2).times(-top, 2).times(power(100), power(10)); });
    ask(gpu, "1.5*2^127 * 1.5*2^127 (exponent 255)", f, [&](auto& q) { q.times(1.5 * top, 1.5 * top); });
    ask(gpu, "largest + 2^102 (less than half)", f, [](auto& q) { q.times(power(102), 1).plus_raw(0x7F7F'FFFF); });
    ask(gpu, "largest + 2^103 (half)", f, [](auto& q) { q.times(power(103), 1).plus_raw(0x7F7F'FFFF); });
    ask(gpu, "largest + 2^104", f, [](auto& q) { q.times(power(104), 1).plus_raw(0x7F7F'FFFF); });
  }
  for (const int f : {f16_f32, e4m3_f32, e5m2_f32}) {
    ask(gpu, "C largest, products 0", f, [](auto& q) { q.plus_raw(0x7F7F'FFFF); });
    ask(gpu, "C largest, products large", f,
        [](auto& q) { q.rest(largest_power(q.w.a), largest_power(q.w.b)).plus_raw(0x7F7F'FFFF); });
  }
  for (const int f : {f16_f16, e4m3_f16, e5m2_f16}) {
    ask(gpu, "65504 + 8", f, [](auto& q) { q.times(4, 2).plus(65504); });
    ask(gpu, "65504 + 15", f, [](auto& q) { q.times(4, 3).times(3, 1).plus(65504); });
    ask(gpu, "65504 + 16", f, [](auto& q) { q.times(4, 4).plus(65504); });
    ask(gpu, "-65504 - 16", f, [](auto& q) { q.times(-4, 4).plus(-65504); });
    ask(gpu, "65504 + 32", f, [](auto& q) { q.times(8, 4).plus(65504); });
    ask(gpu, "2^8 * 2^8 (65536)", f, [](auto& q) { q.times(256, 256); });
    ask(gpu, "2^8 * 2^8 * 4", f, [](auto& q) { q.times(256, 256, 4); });
    ask(gpu, "2^8 * 2^8 - 2^8 * 2^7", f, [](auto& q) { q.times(256, 256).times(-256, 128); });
  }
}

void nans(gpu_runner& gpu) {
  std::puts("\n(d) NaN and infinities");
  ask_all(gpu, "A NaN", [](auto& q) { q.raw(nan_of(q.w.a), bits_of(q.w.b, 1)); });
  ask_all(gpu, "A -NaN", [](auto& q) { q.raw(nan_of(q.w.a) | sign_of(q.w.a), bits_of(q.w.b, 1)); });
  ask_all(gpu, "A NaN * 0, others 0", [](auto& q) { q.raw(nan_of(q.w.a), 0); });
  ask_all(gpu, "A NaN, scale-d 0", [](auto& q) { q.raw(nan_of(q.w.a), bits_of(q.w.b, 1)).overwrite(); });
  ask_all(gpu, "C quiet NaN with payload", [](auto& q) { q.plus_raw(payload(q.w.d, 0x7E05, 0x7FC0'0123)); });
  ask_all(gpu, "C signalling -NaN", [](auto& q) { q.plus_raw(payload(q.w.d, 0xFC05, 0xFF80'0123)); });
  ask_all(gpu, "C NaN, scale-d 0",
          [](auto& q) { q.times(1, 1).plus_raw(payload(q.w.d, 0xFC05, 0xFF80'0123)).overwrite(); });
  ask_all(gpu, "C inf", [](auto& q) { q.times(1, 1).plus_raw(infinity_bits(q.w.d)); });
  ask_all(gpu, "C -inf", [](auto& q) { q.times(1, 1).plus_raw(infinity_bits(q.w.d) | sign_of(q.w.d)); });

  const auto infinite = [](question& q, double b) { q.raw(infinity_bits(q.w.a), bits_of(q.w.b, b)); };
  for (const int f : {f16_f16, f16_f32, bf16_f32, tf32_f32, e5m2_f16, e5m2_f32}) {
    ask(gpu, "inf * 1", f, [&](auto& q) { infinite(q, 1); });
    ask(gpu, "inf * -1", f, [&](auto& q) { infinite(q, -1); });
    ask(gpu, "inf * 0", f, [&](auto& q) { infinite(q, 0); });
    ask(gpu, "inf * 1 - inf * 1", f, [&](auto& q) { infinite(q, 1), infinite(q, -1); });
    ask(gpu, "inf * 1, C -inf", f, [&](auto& q) { infinite(q, 1), q.plus_raw(infinity_bits(q.w.d) | sign_of(q.w.d)); });
    ask(gpu, "-inf * 1, C NaN", f, [&](auto& q) { infinite(q, -1), q.plus_raw(infinity_bits(q.w.d) | 1); });
  }
}

void low_bits_of_tf32(gpu_runner& gpu) {
  std::puts("\n(l) tf32: the low 13 bits");
  const auto times = [&](const char* what, std::uint32_t a, double b) {
    ask(gpu, what, tf32_f32, [&](auto& q) { q.raw(a, bits_of(q.w.b, b)); });
  };
  times("1 + all low bits", 0x3F80'1FFF, 1);
  times("1 + half (bit 12)", 0x3F80'1000, 1);
  times("1 + bit 13 + bit 12", 0x3F80'3000, 1);
  times("NaN with payload in bit 0 only, * 1", 0x7F80'0001, 1);
  times("NaN with payload in bit 12 only, * 1", 0x7F80'1000, 1);
  times("NaN with payload in bit 0 only, * 0", 0x7F80'0001, 0);
  times("subnormal in the low bits only (0x1000) * 2^127", 0x0000'1000, power(127));
  times("subnormal 0x2000 * 2^127", 0x0000'2000, power(127));
}

void negation(gpu_runner& gpu) {
  std::puts("\n(o) negated operands");
  for (const int f : {f16_f16, bf16_f32, e4m3_f32}) {
    ask(gpu, "-A of +0, C -0", f, [](auto& q) { q.w.negate_a = true, q.rest(0.0, 1).plus(-0.0); });
    ask(gpu, "-A of NaN", f, [](auto& q) { q.w.negate_a = true, q.raw(nan_of(q.w.a), bits_of(q.w.b, 1)); });
    ask(gpu, "-A, 1*1 + C 3", f, [](auto& q) { q.w.negate_a = true, q.times(1, 1).plus(3); });
  }
}

}  // namespace

void probe_specials(gpu_runner& gpu) {
  zeros(gpu);
  overflow(gpu);
  nans(gpu);
  low_bits_of_tf32(gpu);
  negation(gpu);
}

}  // namespace sectile::conformance
