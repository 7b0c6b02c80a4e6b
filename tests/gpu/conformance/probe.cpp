#include "probe.hpp"

#include <cmath>
#include <cstdio>
#include <functional>
#include <string>

#include "gpu_runner.hpp"
#include "mma_sync.hpp"

namespace sectile::conformance {
namespace {

/// The bits of a number that the format has exactly.
std::uint32_t bits_of(const element& e, double x) {
  if (x == 0) return std::signbit(x) ? 1u << (e.bits - 1) : 0;
  const int bias = (1 << (e.exponent_bits - 1)) - 1;
  const int exponent = std::max(std::ilogb(x), 1 - bias);
  const auto whole = static_cast<std::uint32_t>(std::ldexp(std::abs(x), e.mantissa_bits - exponent));
  const std::uint32_t code = (static_cast<std::uint32_t>(exponent + bias - 1) << e.mantissa_bits) + whole;
  const std::uint32_t sign = std::signbit(x) ? 1u << (e.exponent_bits + e.mantissa_bits) : 0;
  return (sign | code) << (e.bits - 1 - e.exponent_bits - e.mantissa_bits);
}

double power(int e) { return std::ldexp(1.0, e); }

/// The N = 8 instruction of a family with these properties.
wgmma_instruction instruction(int family, bool sparse = false, int selector = 0, major b_major = major::k) {
  const instruction_table table = wgmma_table();
  const instruction_family& f = table.at[family];
  return {8, sparse ? 2 * f.k : f.k, f.a, f.b, f.d, false, major::k, b_major, false, false, false, sparse, selector};
}

/// Number of the form among the rows of its family with the same N, -1 if there is none.
int variant_number(const wgmma_instruction& w) {
  const instruction_table table = wgmma_table();
  const instruction_family& f = table.at[family_number(w)];
  for (int n = 0; n < f.n_choices(); ++n)
    for (int v = 0; v < instructions_of(f) / f.n_choices(); ++v)
      if (instruction_of(f, n + f.n_choices() * v) == w) return v;
  return -1;
}

int n_number(const wgmma_instruction& w) {
  const instruction_table table = wgmma_table();
  const instruction_family& f = table.at[family_number(w)];
  for (int n = 0; n < f.n_choices(); ++n)
    if (f.n_at(n) == w.n) return n;
  return -1;
}

/// All zeros.
problem blank(const wgmma_instruction& w, bool accumulate = true) {
  problem p{w, accumulate, {}, {}, {}, {}, {}};
  p.a.resize(static_cast<std::size_t>(64 * p.stored()));
  p.b.resize(static_cast<std::size_t>(w.n * p.inner()));
  p.c.resize(static_cast<std::size_t>(64 * w.n));
  if (!w.sparse) return p;
  for (int i = 0; i < 64 * p.groups(); ++i) {
    const int group = i % p.groups();
    p.nibble.push_back(0x4);
    p.kept.push_back(static_cast<std::uint8_t>((w.a.bits == 32 ? 2 : 4) * group));
    if (w.a.bits != 32) p.kept.push_back(static_cast<std::uint8_t>(4 * group + 1));
  }
  return p;
}

/// D of a problem on the GPU.
std::vector<std::uint32_t> on_gpu(gpu_runner& gpu, const problem& p) {
  std::vector<prepared_case> one{prepare_problem(p, 0, 0, 1)};
  one[0].work.variant = variant_number(p.w);
  gpu.run(family_number(p.w), n_number(p.w), one);
  return matrix_of(p.w, one[0].d.data());
}

/// A product a * b given by the values or by bits.
struct pair_of_bits {
  std::uint32_t a, b;
};

/// One output: products, C; what the hardware makes of it beside what the reference says.
struct question {
  wgmma_instruction w;
  std::vector<pair_of_bits> products;
  std::uint32_t c = 0;
  bool accumulate = true;

  question& times(double a, double b, int count = 1) {
    for (int i = 0; i < count; ++i) products.push_back({bits_of(w.a, a), bits_of(w.b, b)});
    return *this;
  }
  question& raw(std::uint32_t a, std::uint32_t b, int count = 1) {
    for (int i = 0; i < count; ++i) products.push_back({a, b});
    return *this;
  }
  question& plus(double x) {
    c = bits_of(w.d, x);
    return *this;
  }
  question& plus_raw(std::uint32_t x) {
    c = x;
    return *this;
  }
  question& overwrite() {
    accumulate = false;
    return *this;
  }
  /// Products fill whatever is left.
  question& rest(double a, double b) { return times(a, b, blank(w).stored() - static_cast<int>(products.size())); }
};

/// "hardware bits", with the reference's behind it if they differ.
std::string answer(gpu_runner& gpu, const question& q) {
  problem p = blank(q.w, q.accumulate);
  if (static_cast<int>(q.products.size()) > p.stored()) return "too many products";
  for (std::size_t s = 0; s < q.products.size(); ++s) {
    p.a[s] = q.products[s].a;
    p.b[q.w.sparse ? p.kept[s] : s] = q.products[s].b;
  }
  p.c[0] = q.c;
  const std::uint32_t hardware = on_gpu(gpu, p)[0], reference = reference_answer(p)[0];
  char text[64];
  std::snprintf(text, sizeof text, "%0*x", q.w.d.bits / 4, hardware);
  std::string out = text;
  if (hardware != reference) {
    std::snprintf(text, sizeof text, "[ref %0*x]", q.w.d.bits / 4, reference);
    out += text;
  }
  return out;
}

std::string name(int family) {
  const instruction_table table = wgmma_table();
  const instruction_family& f = table.at[family];
  return std::string(f.a.name) + (f.a == f.b ? "" : std::string("*") + f.b.name) + ">" + f.d.name;
}

constexpr int f16_f16 = 0, f16_f32 = 1, bf16_f32 = 2, tf32_f32 = 3, e4m3_f16 = 4, e4m3_f32 = 5, e5m2_f16 = 10, e5m2_f32 = 11;
constexpr int float_families[] = {0, 1, 2, 3, 4, 5, 10, 11};

/// Asks every kind of float the same.
void ask_all(gpu_runner& gpu, const char* what, const std::function<void(question&)>& make, bool sparse_too = false) {
  std::printf("%s:", what);
  for (const int f : float_families) {
    for (const bool sparse : {false, true}) {
      if (sparse && !sparse_too) continue;
      question q{instruction(f, sparse), {}};
      make(q);
      std::printf(" %s%s=%s", name(f).c_str(), sparse ? ".sp" : "", answer(gpu, q).c_str());
    }
  }
  std::printf("\n");
}

void ask(gpu_runner& gpu, const char* what, int family, const std::function<void(question&)>& make) {
  question q{instruction(family), {}};
  make(q);
  std::printf("%s: %s=%s\n", what, name(family).c_str(), answer(gpu, q).c_str());
}

double largest_power(const element& e) { return power((1 << (e.exponent_bits - 1)) - (e.exponent_bits == 4 ? 0 : 1)); }
double smallest(const element& e) { return power(smallest_exponent(e) - e.mantissa_bits); }

std::uint32_t infinity_bits(const element& e) {
  return (((1u << e.exponent_bits) - 1) << e.mantissa_bits) << (e.bits - 1 - e.exponent_bits - e.mantissa_bits);
}

void zeros(gpu_runner& gpu) {
  std::puts("\n(a) the sign of a zero result");
  ask_all(gpu, "products +0, C -0", [](question& q) { q.rest(0.0, 0.0).plus(-0.0); });
  ask_all(gpu, "products -0, C -0", [](question& q) { q.rest(-0.0, 1).plus(-0.0); }, true);
  ask_all(gpu, "products -0 (0 * -1), C -0", [](question& q) { q.rest(0.0, -1).plus(-0.0); });
  ask_all(gpu, "products -0, C +0", [](question& q) { q.rest(-0.0, 1).plus(0.0); });
  ask_all(gpu, "products -0, scale-d 0", [](question& q) { q.rest(-0.0, 1).overwrite(); });
  ask_all(gpu, "1 - 1, others -0, C -0", [](question& q) { q.times(1, 1).times(-1, 1).rest(-0.0, 1).plus(-0.0); });
  ask_all(gpu, "-1 from products, C 1", [](question& q) { q.times(-1, 1).plus(1); });
  ask_all(gpu, "1 from products, C -1", [](question& q) { q.times(1, 1).plus(-1); });
  ask_all(gpu, "the smallest product, negative, C +0", [](question& q) { q.times(-smallest(q.w.a), smallest(q.w.b)); });
  ask_all(gpu, "the smallest product, negative, C -0, others -0",
          [](question& q) { q.times(-smallest(q.w.a), smallest(q.w.b)).rest(-0.0, 1).plus(-0.0); });
  ask(gpu, "-2^-150", bf16_f32, [](question& q) { q.times(-power(-75), power(-75)); });
  ask(gpu, "-2^-26 (rounds to zero)", f16_f16, [](question& q) { q.times(-power(-13), power(-13)); });
  ask(gpu, "-2^-25 (tie)", f16_f16, [](question& q) { q.times(-power(-13), power(-12)); });
  ask(gpu, "-2^-25 - 2^-26", f16_f16, [](question& q) { q.times(-power(-13), power(-12)).times(-power(-13), power(-13)); });
  ask(gpu, "+2^-25 (tie)", f16_f16, [](question& q) { q.times(power(-13), power(-12)); });
  ask(gpu, "2^13 - 2^13 - 2^-15 (the last cut away)", f16_f32,
      [](question& q) { q.times(power(7), power(6)).times(-power(7), power(6)).times(-power(-8), power(-7)); });
}

void overflow(gpu_runner& gpu) {
  std::puts("\n(b) overflow");
  for (const int f : {bf16_f32, tf32_f32}) {
    ask(gpu, "2^127 + 2^127", f, [](question& q) { q.times(power(127), 1, 2); });
    ask(gpu, "-2^127 - 2^127", f, [](question& q) { q.times(-power(127), 1, 2); });
    ask(gpu, "2^127 * 2", f, [](question& q) { q.times(power(127), 2); });
    ask(gpu, "2^127 * 2^127", f, [](question& q) { q.times(power(127), power(127)); });
    ask(gpu, "2^127 * 2^127 - 2^127 * 2^127", f, [](question& q) { q.times(power(127), power(127)).times(-power(127), power(127)); });
    ask(gpu, "2^127 * 2^127 - 2^127 * 2^127 + 1", f,
        [](question& q) { q.times(power(127), power(127)).times(-power(127), power(127)).plus(1); });
    ask(gpu, "2^127 * 2 - 2^127 * 2 + 2^110", f, [](question& q) { q.times(power(127), 2).times(-power(127), 2).times(power(100), power(10)); });
    ask(gpu, "1.5*2^127 * 1.5*2^127 (exponent 255)", f, [](question& q) { q.times(1.5 * power(127), 1.5 * power(127)); });
    ask(gpu, "largest + 2^102 (less than half)", f, [](question& q) { q.times(power(102), 1).plus_raw(0x7F7F'FFFF); });
    ask(gpu, "largest + 2^103 (half)", f, [](question& q) { q.times(power(103), 1).plus_raw(0x7F7F'FFFF); });
    ask(gpu, "largest + 2^104", f, [](question& q) { q.times(power(104), 1).plus_raw(0x7F7F'FFFF); });
  }
  for (const int f : {f16_f32, e4m3_f32, e5m2_f32}) {
    ask(gpu, "C largest, products 0", f, [](question& q) { q.plus_raw(0x7F7F'FFFF); });
    ask(gpu, "C largest, products large", f, [](question& q) { q.rest(largest_power(q.w.a), largest_power(q.w.b)).plus_raw(0x7F7F'FFFF); });
  }
  for (const int f : {f16_f16, e4m3_f16, e5m2_f16}) {
    ask(gpu, "65504 + 8", f, [](question& q) { q.times(4, 2).plus(65504); });
    ask(gpu, "65504 + 15", f, [](question& q) { q.times(4, 3).times(3, 1).plus(65504); });
    ask(gpu, "65504 + 16", f, [](question& q) { q.times(4, 4).plus(65504); });
    ask(gpu, "-65504 - 16", f, [](question& q) { q.times(-4, 4).plus(-65504); });
    ask(gpu, "65504 + 32", f, [](question& q) { q.times(8, 4).plus(65504); });
    ask(gpu, "2^8 * 2^8 (65536)", f, [](question& q) { q.times(256, 256); });
    ask(gpu, "2^8 * 2^8 * 4", f, [](question& q) { q.times(256, 256, 4); });
    ask(gpu, "2^8 * 2^8 - 2^8 * 2^7", f, [](question& q) { q.times(256, 256).times(-256, 128); });
  }
}

void alignment(gpu_runner& gpu) {
  std::puts("\n(c) zeros in the alignment; (p) where terms are cut");
  const auto bits = [](const question& q) { return family_of(q.w).aligned_bits; };
  const auto small = [&](question& q, int exponent) {  // 2^exponent as a product
    const int half = exponent / 2;
    q.times(power(half), power(exponent - half));
  };
  ask_all(gpu, "0 * largest power + 3 * 2^(one below the cut of its exponent)", [&](question& q) {
    const int zero = smallest_exponent(q.w.a) + std::ilogb(largest_power(q.w.b));
    q.times(0.0, largest_power(q.w.b));
    for (int i = 0; i < 3; ++i) small(q, std::max(zero - bits(q) - 1, 2 * smallest_exponent(q.w.a) - 2));
  });
  ask_all(gpu, "largest power * 0 (A large), the same", [&](question& q) {
    const int zero = smallest_exponent(q.w.b) + std::ilogb(largest_power(q.w.a));
    q.times(largest_power(q.w.a), 0.0);
    for (int i = 0; i < 3; ++i) small(q, std::max(zero - bits(q) - 1, 2 * smallest_exponent(q.w.a) - 2));
  });
  ask(gpu, "C 0, 8 * 2^-152", bf16_f32, [](question& q) { q.times(power(-76), power(-76), 8); });
  ask(gpu, "C 0, 8 * 2^-152", tf32_f32, [](question& q) { q.times(power(-76), power(-76), 8); });
  ask(gpu, "scale-d 0, 8 * 2^-152", bf16_f32, [](question& q) { q.times(power(-76), power(-76), 8).overwrite(); });
  ask(gpu, "C 0, 16 * 2^-153", bf16_f32, [](question& q) { q.times(power(-77), power(-76), 16); });
  ask(gpu, "C 0, 16 * 2^-28", e5m2_f16, [](question& q) { q.times(power(-14), power(-14), 16); });
  ask(gpu, "C 2^-149, 8 * 2^-152", bf16_f32, [](question& q) { q.times(power(-76), power(-76), 8).plus_raw(1); });
  for (int below = -2; below <= 3; ++below) {
    const std::string what = "C 1 + 3 products of 2^-(F" + std::to_string(below) + ")";
    ask_all(gpu, what.c_str(), [&](question& q) {
      for (int i = 0; i < 3; ++i) small(q, -(bits(q) + below));
      q.plus(1);
    });
  }
  for (int below = -1; below <= 2; ++below) {
    const std::string what = "1 - 1 + 7 products of 2^-(F+" + std::to_string(below) + "), C 0";
    const auto make = [&](question& q) {
      q.times(1, 1).times(-1, 1);
      for (int i = 0; i < (q.w.a.bits == 32 ? 6 : 7); ++i) small(q, -(bits(q) + below));
    };
    ask_all(gpu, what.c_str(), make, true);
  }
  ask_all(gpu, "2 * 1.5 * 1.5 (product above 2) cancelled, + 5 * 2^-F (cut only if products are normalised)", [&](question& q) {
    q.times(1.5, 1.5).times(-1.5, 1.5);
    for (int i = 0; i < 5; ++i) small(q, -bits(q));
  });
  ask_all(gpu, "C (1 + 2^-10) * 2^24 + 16 products... 5 of 1", [](question& q) { q.times(1, 1, 5).plus(q.w.d.bits == 16 ? 2048 : power(24)); });
  ask_all(gpu, "C -2^26 + 5 of 1", [](question& q) { q.times(1, 1, 5).plus(q.w.d.bits == 16 ? -4096 : -power(26)); });
}

void nans(gpu_runner& gpu) {
  std::puts("\n(d) NaN and infinities");
  const auto nan = [](const element& e) { return e.exponent_bits == 4 ? 0x7Fu : infinity_bits(e) | 1u << (e.bits - 2 - e.exponent_bits); };
  const auto sign = [](const element& e) { return 1u << (e.bits - 1); };
  ask_all(gpu, "A NaN", [&](question& q) { q.raw(nan(q.w.a), bits_of(q.w.b, 1)); });
  ask_all(gpu, "A -NaN", [&](question& q) { q.raw(nan(q.w.a) | sign(q.w.a), bits_of(q.w.b, 1)); });
  ask_all(gpu, "A NaN * 0, others 0", [&](question& q) { q.raw(nan(q.w.a), 0); });
  ask_all(gpu, "A NaN, scale-d 0", [&](question& q) { q.raw(nan(q.w.a), bits_of(q.w.b, 1)).overwrite(); });
  ask_all(gpu, "C quiet NaN with payload", [](question& q) { q.plus_raw(q.w.d.bits == 16 ? 0x7E05 : 0x7FC0'0123); });
  ask_all(gpu, "C signalling -NaN", [](question& q) { q.plus_raw(q.w.d.bits == 16 ? 0xFC05 : 0xFF80'0123); });
  ask_all(gpu, "C NaN, scale-d 0", [](question& q) { q.times(1, 1).plus_raw(q.w.d.bits == 16 ? 0xFC05 : 0xFF80'0123).overwrite(); });
  ask_all(gpu, "C inf", [](question& q) { q.times(1, 1).plus_raw(infinity_bits(q.w.d)); });
  ask_all(gpu, "C -inf", [&](question& q) { q.times(1, 1).plus_raw(infinity_bits(q.w.d) | sign(q.w.d)); });
  for (const int f : {f16_f16, f16_f32, bf16_f32, tf32_f32, e5m2_f16, e5m2_f32}) {
    ask(gpu, "inf * 1", f, [](question& q) { q.raw(infinity_bits(q.w.a), bits_of(q.w.b, 1)); });
    ask(gpu, "inf * -1", f, [](question& q) { q.raw(infinity_bits(q.w.a), bits_of(q.w.b, -1)); });
    ask(gpu, "inf * 0", f, [](question& q) { q.raw(infinity_bits(q.w.a), 0); });
    ask(gpu, "inf * 1 - inf * 1", f, [](question& q) { q.raw(infinity_bits(q.w.a), bits_of(q.w.b, 1)).raw(infinity_bits(q.w.a), bits_of(q.w.b, -1)); });
    ask(gpu, "inf * 1, C -inf", f, [&](question& q) { q.raw(infinity_bits(q.w.a), bits_of(q.w.b, 1)).plus_raw(infinity_bits(q.w.d) | sign(q.w.d)); });
    ask(gpu, "-inf * 1, C NaN", f, [&](question& q) { q.raw(infinity_bits(q.w.a) | sign(q.w.a), bits_of(q.w.b, 1)).plus_raw(infinity_bits(q.w.d) | 1); });
  }
  std::puts("\n(l) tf32: the low 13 bits");
  ask(gpu, "1 + all low bits", tf32_f32, [](question& q) { q.raw(0x3F80'1FFF, bits_of(q.w.b, 1)); });
  ask(gpu, "1 + half (bit 12)", tf32_f32, [](question& q) { q.raw(0x3F80'1000, bits_of(q.w.b, 1)); });
  ask(gpu, "1 + bit 13 + bit 12", tf32_f32, [](question& q) { q.raw(0x3F80'3000, bits_of(q.w.b, 1)); });
  ask(gpu, "NaN with payload in bit 0 only, * 1", tf32_f32, [](question& q) { q.raw(0x7F80'0001, bits_of(q.w.b, 1)); });
  ask(gpu, "NaN with payload in bit 12 only, * 1", tf32_f32, [](question& q) { q.raw(0x7F80'1000, bits_of(q.w.b, 1)); });
  ask(gpu, "NaN with payload in bit 0 only, * 0", tf32_f32, [](question& q) { q.raw(0x7F80'0001, 0); });
  ask(gpu, "subnormal in the low bits only (0x1000) * 2^127", tf32_f32, [](question& q) { q.raw(0x0000'1000, bits_of(q.w.b, power(127))); });
  ask(gpu, "subnormal 0x2000 * 2^127", tf32_f32, [](question& q) { q.raw(0x0000'2000, bits_of(q.w.b, power(127))); });
  std::puts("\n(o) negated operands");
  for (const int f : {f16_f16, bf16_f32, e4m3_f32}) {
    question q{instruction(f), {}};
    q.w.negate_a = true;
    q.rest(0.0, 1).plus(-0.0);
    std::printf("-A of +0, C -0: %s=%s\n", name(f).c_str(), answer(gpu, q).c_str());
    q.products.clear();
    q.raw(nan(q.w.a), bits_of(q.w.b, 1));
    std::printf("-A of NaN: %s=%s\n", name(f).c_str(), answer(gpu, q).c_str());
    q.products.clear();
    q.times(1, 1);
    std::printf("-A, 1*1 + C 3: %s=%s\n", name(f).c_str(), answer(gpu, q.plus(3)).c_str());
  }
}

void subnormals_and_halves(gpu_runner& gpu) {
  std::puts("\n(f) subnormals");
  ask_all(gpu, "C the smallest subnormal", [](question& q) { q.plus_raw(1); });
  ask_all(gpu, "C a subnormal with many bits", [](question& q) { q.plus_raw(q.w.d.bits == 16 ? 0x155 : 0x0055'5555); });
  ask_all(gpu, "C just normal with many bits", [](question& q) { q.plus_raw(q.w.d.bits == 16 ? 0x555 : 0x00D5'5555); });
  ask(gpu, "2^-140", bf16_f32, [](question& q) { q.times(power(-70), power(-70)); });
  ask(gpu, "2^-149 + C 2^-149", bf16_f32, [](question& q) { q.times(power(-75), power(-74)).plus_raw(1); });
  ask(gpu, "3 * 2^-150", bf16_f32, [](question& q) { q.times(power(-75), power(-75), 3); });
  ask(gpu, "subnormal A: 2^-133 * 2^10", bf16_f32, [](question& q) { q.times(power(-133), power(10)); });
  ask(gpu, "subnormal A: 3 * 2^-24 * 1", f16_f32, [](question& q) { q.times(3 * power(-24), 1); });
  ask(gpu, "C 2^-24 + 2^-24", f16_f16, [](question& q) { q.times(power(-12), power(-12)).plus_raw(1); });

  std::puts("\n(e) D = f16: 2048 + 1 + 2^-j, j = 0 .. 20: 6800 where the last term is lost");
  for (const int f : {f16_f16, e4m3_f16, e5m2_f16}) {
    std::printf("%s:", name(f).c_str());
    for (int j = 0; j <= 20; ++j) {
      question q{instruction(f), {}};
      q.times(64, 32).times(1, 1).times(power(-j / 2), power(-(j - j / 2)));
      std::printf(" %s", answer(gpu, q).c_str());
    }
    std::printf("\n%s, C 2048 + 1 + 2^-j:", name(f).c_str());
    for (int j = 0; j <= 20; ++j) {
      question q{instruction(f), {}};
      q.times(1, 1).times(power(-j / 2), power(-(j - j / 2))).plus(2048);
      std::printf(" %s", answer(gpu, q).c_str());
    }
    std::printf("\n%s, 8 of 512 + 2 + 2^-j (6c00 where lost):", name(f).c_str());
    for (int j = 0; j <= 20; ++j) {
      question q{instruction(f), {}};
      q.times(32, 16, 8).times(2, 1).times(power(-j / 2), power(-(j - j / 2)));
      std::printf(" %s", answer(gpu, q).c_str());
    }
    std::printf("\n");
    ask(gpu, "2048 + 1 (tie to even)", f, [](question& q) { q.times(64, 32).times(1, 1); });
    ask(gpu, "2048 + 3 (tie to even)", f, [](question& q) { q.times(64, 32).times(3, 1); });
    ask(gpu, "-2048 - 3", f, [](question& q) { q.times(-64, 32).times(-3, 1); });
    ask(gpu, "4095 (rounds up into the next exponent)", f, [](question& q) { q.times(64, 64).times(-1, 1); });
  }
}

void precision_vectors(gpu_runner& gpu) {
  std::puts("\n(g) the vectors of the precision table");
  for (const int f : {e4m3_f32, e5m2_f32}) {
    ask(gpu, "A = B = 0, C = 1 + 2^-20 (predicted 3f800000)", f, [](question& q) { q.plus(1 + power(-20)); });
    ask(gpu, "A = B = 0, C = 1 + 2^-13", f, [](question& q) { q.plus(1 + power(-13)); });
    ask(gpu, "A = B = 0, C = 1 + 2^-14", f, [](question& q) { q.plus(1 + power(-14)); });
    ask(gpu, "C = 1, 32 of 2^-14 (predicted 3f800000)", f, [](question& q) { q.times(power(-6), power(-8), 32).plus(1); });
    ask(gpu, "C = 1, 32 of 2^-13 (predicted 3f808000)", f, [](question& q) { q.times(power(-6), power(-7), 32).plus(1); });
  }
  ask(gpu, "448*448 + 31 (predicted 200704 = 48440000)", e4m3_f32, [](question& q) { q.times(448, 448).times(1, 1, 31); });
  ask(gpu, "448*448 + 31*16 (predicted 201200 = 48447c00)", e4m3_f32, [](question& q) { q.times(448, 448).times(4, 4, 31); });
  ask(gpu, "448*448 - 31 (predicted 48440000)", e4m3_f32, [](question& q) { q.times(448, 448).times(-1, 1, 31); });
  ask(gpu, "C = 1, 16 of 2^-25 (predicted 3f800004)", bf16_f32, [](question& q) { q.times(power(-12), power(-13), 16).plus(1); });
  ask(gpu, "C = 1, 16 of 2^-26 (predicted 3f800000)", bf16_f32, [](question& q) { q.times(power(-13), power(-13), 16).plus(1); });
  ask(gpu, "C = 1, 3 of 2^-25 (predicted 3f800000)", bf16_f32, [](question& q) { q.times(power(-12), power(-13), 3).plus(1); });
  ask(gpu, "2^24 + 1 - 2^24 (predicted 3f800000)", bf16_f32, [](question& q) { q.times(power(12), power(12)).times(1, 1).times(-power(12), power(12)); });
  ask(gpu, "2^26 + 1 - 2^26 (predicted 00000000)", bf16_f32, [](question& q) { q.times(power(13), power(13)).times(1, 1).times(-power(13), power(13)); });
  for (const auto& [terms, b, predicted] : {std::tuple{1024, 1.0, 16384.0}, std::tuple{128, 1.125, 4324.0}}) {
    std::uint32_t c = 0;
    for (int i = 0; i < terms; ++i) {
      problem p = blank(instruction(e4m3_f32));
      for (int s = 0; s < 32; ++s) {
        p.a[static_cast<std::size_t>(s)] = bits_of(p.w.a, 1);
        p.b[static_cast<std::size_t>(s)] = bits_of(p.w.b, b);
      }
      p.c[0] = c;
      c = on_gpu(gpu, p)[0];
    }
    std::printf("e4m3 chain of 1 * %g, K = %d: %g (predicted %g)\n", b, 32 * terms, static_cast<double>(std::bit_cast<float>(c)), predicted);
  }

  std::puts("\n(q) the order of K: outputs that change when K is permuted");
  for (const int f : float_families) {
    for (const data_set set : {data_set::wide, data_set::any_finite}) {
      const problem p = make_problem(instruction(f), set, true, 5);
      problem q = p;
      const int k = p.stored();
      for (int row = 0; row < 64; ++row)
        for (int s = 0; s < k; ++s) q.a[static_cast<std::size_t>(row * k + s)] = p.a[static_cast<std::size_t>(row * k + (5 * s + 3) % k)];
      for (int col = 0; col < 8; ++col)
        for (int s = 0; s < k; ++s) q.b[static_cast<std::size_t>(col * k + s)] = p.b[static_cast<std::size_t>(col * k + (5 * s + 3) % k)];
      const std::vector<std::uint32_t> x = on_gpu(gpu, p), y = on_gpu(gpu, q);
      int differ = 0;
      for (std::size_t i = 0; i < x.size(); ++i) differ += x[i] != y[i];
      std::printf(" %s %d/512", name(f).c_str(), differ);
    }
  }
  std::printf("\n");
}

void integers(gpu_runner& gpu) {
  std::puts("\n(m) saturation: is it of the exact sum, or of parts of it?");
  constexpr int s8_s8 = 12;
  for (const bool saturate : {true, false}) {
    for (const int order : {0, 1, 2}) {
      for (const std::uint32_t c : {0x7FFF'FFFFu, 0x8000'0000u, 0x7FFF'FFF0u}) {
        problem p = blank(instruction(s8_s8));
        p.w.saturate = saturate;
        for (int s = 0; s < 32; ++s) {
          const bool positive = order == 0 ? s < 16 : order == 1 ? s >= 16 : s % 2 == 0;
          p.a[static_cast<std::size_t>(s)] = 127;
          p.b[static_cast<std::size_t>(s)] = positive ? 127 : 0x80;
        }
        p.c[0] = c;
        std::printf(" %s order %d C %08x: %08x%s", saturate ? "satfinite" : "wrapping", order, c, on_gpu(gpu, p)[0],
                    on_gpu(gpu, p)[0] == reference_answer(p)[0] ? "" : " (reference differs)");
      }
    }
    std::printf("\n");
  }
}

/// Sets the metadata nibble of one group, and what the reference keeps there.
void set_nibble(problem& p, int row, int group, int nibble) {
  p.nibble[static_cast<std::size_t>(row * p.groups() + group)] = static_cast<std::uint8_t>(nibble);
}

void sparse(gpu_runner& gpu) {
  std::puts("\n(h) metadata nibbles: which element of B (0..3) the first and the second stored value meet; - means none");
  for (const int f : {f16_f32, bf16_f32, e4m3_f32, 12}) {
    std::printf("%s:", name(f).c_str());
    for (int nibble = 0; nibble < 16; ++nibble) {
      problem p = blank(instruction(f, true));
      const bool floats = p.w.a.kind == number::floating;
      const auto value = [&](const element& e, int x) { return floats ? bits_of(e, x) : static_cast<std::uint32_t>(x); };
      // Row 0: stored values 1, 0; row 1: 0, 1; row 2: both, 1 and 16.
      p.a[0] = value(p.w.a, 1);
      p.a[static_cast<std::size_t>(p.stored() + 1)] = value(p.w.a, 1);
      p.a[static_cast<std::size_t>(2 * p.stored())] = value(p.w.a, 1);
      p.a[static_cast<std::size_t>(2 * p.stored() + 1)] = value(p.w.a, 16);
      for (int k = 0; k < 4; ++k) p.b[static_cast<std::size_t>(k)] = value(p.w.b, 1 << k);
      for (int row = 0; row < 3; ++row) set_nibble(p, row, 0, nibble);
      const std::vector<std::uint32_t> d = on_gpu(gpu, p);
      const auto number_at = [&](int row) {
        const std::uint32_t x = d[static_cast<std::size_t>(row * 8)];
        return floats ? static_cast<int>(std::bit_cast<float>(x)) : static_cast<int>(x);
      };
      std::printf(" %X:first=%d,second=%d,both=%d+16*%d", nibble, number_at(0), number_at(1), number_at(2) % 16, number_at(2) / 16);
    }
    std::printf("\n");
  }
  std::printf("tf32>f32, value 1 meets B = 1, 2:");
  for (int nibble = 0; nibble < 16; ++nibble) {
    problem p = blank(instruction(tf32_f32, true));
    p.a[0] = bits_of(p.w.a, 1);
    p.b[0] = bits_of(p.w.b, 1);
    p.b[1] = bits_of(p.w.b, 2);
    set_nibble(p, 0, 0, nibble);
    std::printf(" %X:%g", nibble, static_cast<double>(std::bit_cast<float>(on_gpu(gpu, p)[0])));
  }
  std::printf("\n");

  std::puts("which lane of the four gives the metadata of rows 0 and 8, groups from left to right");
  for (const int f : {f16_f32, tf32_f32, e4m3_f32}) {
    for (int selector = 0; selector < (f == e4m3_f32 ? 1 : 2); ++selector) {
      wgmma_instruction w = instruction(f, true, selector);
      problem p = blank(w);
      const bool single = w.a.bits == 32;
      // Lane l of four says "element l" wherever it speaks (tf32: each lane speaks alone, in turn).
      std::printf("%s selector %d:", name(f).c_str(), selector);
      for (int speaker = 0; speaker < 4; ++speaker) {
        prepared_case c = prepare_problem(p, 0, 0, 1);
        // Every group: the first stored value is 1; B is 1 at element 0 of group g in column g, 2 at the other one.
        for (int row : {0, 8})
          for (int s = 0; s < p.stored(); s += single ? 1 : 2) p.a[static_cast<std::size_t>(row * p.stored() + s)] = bits_of(w.a, 1);
        const int rank = single ? 2 : 4;
        std::string seen[2];
        for (int first = 0; first < p.groups(); first += 8) {
          std::fill(p.b.begin(), p.b.end(), 0u);
          for (int g = first; g < std::min(first + 8, p.groups()); ++g)
            for (int k = 0; k < rank; ++k)
              p.b[static_cast<std::size_t>((g - first) * p.inner() + g * rank + k)] = bits_of(w.b, k + 1);
          c = prepare_problem(p, 0, 0, 1);
          c.work.variant = variant_number(w);
          for (int thread = 0; thread < 128; ++thread)
            c.sources[static_cast<std::size_t>(512 + thread)] = thread % 4 == speaker ? 0xEEEE'EEEE : 0x4444'4444;
          std::vector<prepared_case> one{c};
          gpu.run(f, 0, one);
          const std::vector<std::uint32_t> d = matrix_of(w, one[0].d.data());
          for (int g = first; g < std::min(first + 8, p.groups()); ++g)
            for (int half = 0; half < 2; ++half)
              seen[half] += std::bit_cast<float>(d[static_cast<std::size_t>(half * 64 + g - first)]) == 1.0f ? '.' : 'x';
        }
        std::printf(" lane %d: row 0 %s row 8 %s;", speaker, seen[0].c_str(), seen[1].c_str());
      }
      std::printf("\n");
    }
  }
}

/// Which 16-byte chunk of shared memory B's element (k, n) comes from, found by filling each chunk with its number.
struct traced {
  std::vector<int> chunk;  // n rows of k
  int n, k;
};

traced trace(gpu_runner& gpu, const wgmma_instruction& w, std::uint64_t b_descriptor, int shared_bytes) {
  problem p = blank(w, false);
  traced t{std::vector<int>(static_cast<std::size_t>(w.n * w.k)), w.n, w.k};
  for (int k = 0; k < w.k; ++k) {  // row k of A picks row k of B
    if (!w.sparse) {
      p.a[static_cast<std::size_t>(k * p.stored() + k)] = bits_of(w.a, 1);
      continue;
    }
    const int group = k / 4, at = k % 4;
    p.a[static_cast<std::size_t>(k * p.stored() + 2 * group + (at == 3))] = bits_of(w.a, 1);
    set_nibble(p, k, group, at == 3 ? 0xC : at + 4 * 3);
  }
  p.w.a_in_registers = true;
  prepared_case c = prepare_problem(p, 0, 0, 1);
  c.work.variant = variant_number(p.w);
  c.work.b = b_descriptor;
  c.work.shared_bytes = shared_bytes;
  c.pieces.clear();
  for (int i = 0; i < shared_bytes / 16 && i < most_pieces; ++i) {
    piece x{static_cast<std::uint32_t>(16 * i), {}};
    for (int j = 0; j < 8; ++j) {
      const std::uint32_t bits = bits_of(w.b, i);
      x.bytes[2 * j] = static_cast<std::uint8_t>(bits);
      x.bytes[2 * j + 1] = static_cast<std::uint8_t>(bits >> 8);
    }
    c.pieces.push_back(x);
  }
  c.work.chunks = static_cast<int>(c.pieces.size());
  std::vector<prepared_case> one{c};
  gpu.run(f16_f32, n_number(w), one);
  const std::vector<std::uint32_t> d = matrix_of(w, one[0].d.data());
  for (int n = 0; n < w.n; ++n)
    for (int k = 0; k < w.k; ++k)
      t.chunk[static_cast<std::size_t>(n * w.k + k)] = static_cast<int>(std::bit_cast<float>(d[static_cast<std::size_t>(k * w.n + n)]));
  return t;
}

unsigned swizzled(unsigned address, swizzle_mode mode, unsigned phase) {
  const unsigned mask = static_cast<unsigned>(span_bytes(mode) / 16 - 1);
  return address ^ ((phase & mask) << 4);
}

void descriptors(gpu_runner& gpu) {
  constexpr int region = 16 * 1024;
  std::puts("\n(i) K of an instruction beyond the span of a swizzle: chunks of rows n = 0, 1, 8, 9 (k = 0, 8, 16, 24)");
  for (const bool is_sparse : {true, false}) {
    for (const unsigned lbo : {0u, 16u, 512u, 4096u}) {
      for (const swizzle_mode mode : {swizzle_mode::b32, swizzle_mode::b64}) {
        for (const unsigned start : {0u, 16u, 32u}) {
          wgmma_instruction w = instruction(f16_f32, is_sparse);
          w.n = 16;
          const unsigned span = static_cast<unsigned>(span_bytes(mode));
          if (start + static_cast<unsigned>(w.k) * 2 <= span) continue;
          if (start >= span) continue;
          const traced t = trace(gpu, w, sectile::encode({start, lbo, 8 * span, 0, mode}), region);
          std::printf("%s swizzle %u, start %u, LBO %u:", is_sparse ? "sparse" : "dense", span, start, lbo);
          for (const int n : {0, 1, 8, 9}) {
            std::printf(" |");
            for (int k = 0; k < t.k; k += 8) std::printf(" %d", t.chunk[static_cast<std::size_t>(n * t.k + k)]);
          }
          std::printf("\n");
        }
      }
    }
  }
  std::puts("no swizzle, LBO honoured for all four chunks of a sparse B:");
  {
    const wgmma_instruction w = instruction(f16_f32, true);
    const traced t = trace(gpu, w, sectile::encode({0, 1024, 128, 0, swizzle_mode::none}), region);
    for (int k = 0; k < t.k; k += 8) std::printf(" %d", t.chunk[static_cast<std::size_t>(k)]);
    std::printf("\n");
  }

  std::puts("\n(j) base offset: elements (of 128) that a rule for the swizzle's phase gets wrong, over starts 0, 128 .. 896");
  for (const major direction : {major::k, major::mn}) {
    for (const swizzle_mode mode : {swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128}) {
      const unsigned span = static_cast<unsigned>(span_bytes(mode));
      for (unsigned offset = 0; offset < 8; ++offset) {
        std::printf("%s swizzle %u base_offset %u:", direction == major::k ? "K" : "MN", span, offset);
        int wrong[5]{};
        std::string first;
        for (unsigned start = 0; start < 1024; start += 128) {
          wgmma_instruction w = instruction(f16_f32, false, 0, direction);
          const matrix_descriptor d{start, 4096, 8 * span, static_cast<int>(offset), mode};
          const traced t = trace(gpu, w, sectile::encode(d), region);
          for (int n = 0; n < 8; ++n) {
            for (int k = 0; k < w.k; ++k) {
              const auto row = static_cast<unsigned>(n), column = static_cast<unsigned>(k);
              const unsigned linear = direction == major::k
                                          ? start + row * span + column * 2
                                          : start + column / 8 * 8 * span + column % 8 * span + row * 2;
              const unsigned rules[5] = {linear >> 7, (linear >> 7) + offset, (linear >> 7) - offset, (linear >> 7) ^ offset,
                                         (linear - start) >> 7};
              const int got = t.chunk[static_cast<std::size_t>(n * w.k + k)];
              for (int r = 0; r < 5; ++r) wrong[r] += static_cast<unsigned>(got) != swizzled(linear, mode, rules[r]) / 16;
            }
          }
        }
        std::printf(" address %d, + offset %d, - offset %d, ^ offset %d, relative %d\n", wrong[0], wrong[1], wrong[2], wrong[3], wrong[4]);
      }
    }
  }

  std::puts("\n(k) MN-major, start inside a swizzled row: chunks of k = 0 and k = 9 for n = 0, 8, 16 ..; LBO 4096, SBO 8 spans");
  for (const swizzle_mode mode : {swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128}) {
    for (const int n : {8, 16, 32, 64}) {
      for (const unsigned start : {0u, 16u, 32u, 48u, 64u, 112u}) {
        const unsigned span = static_cast<unsigned>(span_bytes(mode));
        if (start >= span) continue;
        wgmma_instruction w = instruction(f16_f32, false, 0, major::mn);
        w.n = n;
        const matrix_descriptor d{start, 4096, 8 * span, 0, mode};
        const traced t = trace(gpu, w, sectile::encode(d), region);
        int formula = 0;
        for (int row = 0; row < n; ++row)
          for (int k = 0; k < w.k; ++k)
            formula += static_cast<unsigned>(t.chunk[static_cast<std::size_t>(row * w.k + k)]) != read_offset(d, major::mn, row, k, 16) / 16;
        std::printf("swizzle %u N %d start %u: formula wrong %d of %d;", span, n, start, formula, n * w.k);
        for (const int k : {0, 9}) {
          for (int row = 0; row < n; row += 8) std::printf(" %d", t.chunk[static_cast<std::size_t>(row * w.k + k)]);
          std::printf(" |");
        }
        std::printf("\n");
      }
    }
  }
}

void mma_sync(gpu_runner&) {
  std::puts("\n(n) mma.sync m16n8k32 of e4m3 with f32, the same products as wgmma");
  const element e = detail::e_e4m3;
  const auto ask_mma = [&](const char* what, const std::vector<std::pair<double, double>>& products, double c) {
    std::uint8_t a[32]{}, b[32]{};
    for (std::size_t i = 0; i < products.size(); ++i) {
      a[i] = static_cast<std::uint8_t>(bits_of(e, products[i].first));
      b[i] = static_cast<std::uint8_t>(bits_of(e, products[i].second));
    }
    const float d = mma_e4m3(a, b, static_cast<float>(c));
    std::printf("%s: %08x = %.9g\n", what, std::bit_cast<std::uint32_t>(d), static_cast<double>(d));
  };
  using list = std::vector<std::pair<double, double>>;
  const auto repeat = [](list l, std::pair<double, double> x, int count) {
    l.insert(l.end(), static_cast<std::size_t>(count), x);
    return l;
  };
  ask_mma("A = B = 0, C = 1 + 2^-20", {}, 1 + power(-20));
  ask_mma("C = 1, 32 of 2^-14", repeat({}, {power(-7), power(-7)}, 32), 1);
  ask_mma("C = 1, 32 of 2^-13", repeat({}, {power(-7), power(-6)}, 32), 1);
  ask_mma("448*448 + 31", repeat({{448, 448}}, {1, 1}, 31), 0);
  ask_mma("448*448 + 31 of 2^-8", repeat({{448, 448}}, {power(-4), power(-4)}, 31), 0);
  ask_mma("448*448 + 31 of 2^-9", repeat({{448, 448}}, {power(-4), power(-5)}, 31), 0);
  ask_mma("448*448 (first) - 448*448 (last) + 2^-8", {{448, 448}, {power(-4), power(-4)}, {-448, 448}}, 0);
  for (int at = 1; at < 32; at += 2) {
    list l = repeat({{448, 448}}, {0, 0}, 31);
    l[static_cast<std::size_t>(at)] = {power(-9), power(-9)};
    l.push_back({0, 0});
    l.resize(32);
    list with = l;
    with[at == 31 ? 30u : 31u] = {-448, 448};
    const std::string what = "448*448 - 448*448 (k = 31) + 2^-18 at k = " + std::to_string(at);
    ask_mma(what.c_str(), with, 0);
  }
}

/// (r) Below which exponent terms never line up: a product far below what D can hold, and a smaller one that either still
/// changes the result or is cut.
void lowest_alignment(gpu_runner& gpu) {
  std::puts("\n(r) the lowest alignment");
  std::printf("f16>f16: 2^-25 + 2^-t, 0001 while 2^-t counts:");
  for (int t = 38; t <= 48; ++t)
    std::printf(" %d:%s", t, answer(gpu, question{instruction(f16_f16), {}}.times(power(-12), power(-13)).times(power(-24), power(24 - t))).c_str());
  for (const int f : {bf16_f32, tf32_f32}) {
    std::printf("\n%s: 2^-148 - 2^-t, 00000001 while 2^-t counts:", name(f).c_str());
    for (int t = 150; t <= 166; ++t)
      std::printf(" %d:%s", t, answer(gpu, question{instruction(f), {}}.times(power(-74), power(-74)).times(-power(-75), power(75 - t))).c_str());
  }
  std::puts("");
}

}  // namespace

void probe() {
  gpu_runner gpu;
  zeros(gpu);
  overflow(gpu);
  alignment(gpu);
  nans(gpu);
  subnormals_and_halves(gpu);
  precision_vectors(gpu);
  integers(gpu);
  sparse(gpu);
  lowest_alignment(gpu);
  mma_sync(gpu);
  descriptors(gpu);
}

}  // namespace sectile::conformance
