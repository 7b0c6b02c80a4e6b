#include "probe_kit.hpp"

#include <cmath>
#include <cstdio>
#include <sectile/dsl/tell/instructions_by_number.hpp>

namespace sectile::conformance {

std::string name(int family) {
  const instruction_table table = wgmma_table();
  const instruction_family& f = table.at[family];
  return std::string(f.a.name) + (f.a == f.b ? "" : std::string("*") + f.b.name) + ">" + f.d.name;
}

double power(int e) { return std::ldexp(1.0, e); }

std::uint32_t bits_of(const element& e, double x) {
  if (x == 0) return std::signbit(x) ? 1u << (e.bits - 1) : 0;
  const int bias = (1 << (e.exponent_bits - 1)) - 1;
  const int exponent = std::max(std::ilogb(x), 1 - bias);
  const auto whole = static_cast<std::uint32_t>(std::ldexp(std::abs(x), e.mantissa_bits - exponent));
  const std::uint32_t code = (static_cast<std::uint32_t>(exponent + bias - 1) << e.mantissa_bits) + whole;
  const std::uint32_t sign = std::signbit(x) ? 1u << (e.exponent_bits + e.mantissa_bits) : 0;
  return (sign | code) << (e.bits - 1 - e.exponent_bits - e.mantissa_bits);
}

std::uint32_t infinity_bits(const element& e) {
  const int ignored = e.bits - 1 - e.exponent_bits - e.mantissa_bits;
  return ((1u << e.exponent_bits) - 1) << e.mantissa_bits << ignored;
}

double largest_power(const element& e) { return power((1 << (e.exponent_bits - 1)) - (e.exponent_bits == 4 ? 0 : 1)); }

double smallest(const element& e) { return power(smallest_exponent(e) - e.mantissa_bits); }

wgmma_instruction instruction(int family, bool sparse, int selector, major b_major) {
  const instruction_table table = wgmma_table();
  const instruction_family& f = table.at[family];
  return {8, sparse ? 2 * f.k : f.k, f.a, f.b, f.d, false, major::k, b_major, false, false, false, sparse, selector};
}

namespace {

int n_number(const wgmma_instruction& w) {
  const instruction_family f = family_of(w);
  int n = 0;
  while (f.n_at(n) != w.n) ++n;
  return n;
}

}  // namespace

int variant_number(const wgmma_instruction& w) {
  const instruction_family f = family_of(w);
  const int n = n_number(w);
  for (int v = 0; v < instructions_of(f) / f.n_choices(); ++v)
    if (instruction_of(f, n + f.n_choices() * v) == w) return v;
  return -1;
}

problem blank(const wgmma_instruction& w, bool accumulate) {
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

void set_nibble(problem& p, int row, int group, int nibble) {
  p.nibble[static_cast<std::size_t>(row * p.groups() + group)] = static_cast<std::uint8_t>(nibble);
}

std::vector<std::uint32_t> on_gpu(gpu_runner& gpu, const prepared_case& c) {
  std::vector<prepared_case> one{c};
  one[0].work.variant = variant_number(c.p.w);
  gpu.run(family_number(c.p.w), n_number(c.p.w), one);
  return matrix_of(c.p.w, one[0].d.data());
}

std::vector<std::uint32_t> on_gpu(gpu_runner& gpu, const problem& p) {
  return on_gpu(gpu, prepare_problem(p, 0, 0, 1));
}

question& question::times(double a, double b, int count) { return raw(bits_of(w.a, a), bits_of(w.b, b), count); }

question& question::raw(std::uint32_t a, std::uint32_t b, int count) {
  products.insert(products.end(), static_cast<std::size_t>(count), {a, b});
  return *this;
}

question& question::rest(double a, double b) { return times(a, b, stored_k(w) - static_cast<int>(products.size())); }

question& question::small(int exponent, int count) {
  return times(power(exponent / 2), power(exponent - exponent / 2), count);
}

question& question::plus(double x) { return plus_raw(bits_of(w.d, x)); }

question& question::plus_raw(std::uint32_t x) {
  c = x;
  return *this;
}

question& question::overwrite() {
  accumulate = false;
  return *this;
}

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
  if (hardware == reference) return out;
  std::snprintf(text, sizeof text, "[ref %0*x]", q.w.d.bits / 4, reference);
  return out + text;
}

void ask(gpu_runner& gpu, const char* what, int family, const make_question& make) {
  question q{instruction(family)};
  make(q);
  std::printf("%s: %s=%s\n", what, name(family).c_str(), answer(gpu, q).c_str());
}

void ask_all(gpu_runner& gpu, const char* what, const make_question& make, bool sparse_too) {
  std::printf("%s:", what);
  for (const int f : float_families) {
    for (const bool sparse : {false, true}) {
      if (sparse && !sparse_too) continue;
      question q{instruction(f, sparse)};
      make(q);
      std::printf(" %s%s=%s", name(f).c_str(), sparse ? ".sp" : "", answer(gpu, q).c_str());
    }
  }
  std::printf("\n");
}

}  // namespace sectile::conformance
