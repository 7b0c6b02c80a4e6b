// Where terms are cut and how sums are rounded.
#include <cmath>
#include <cstdio>

#include "probe.hpp"
#include "probe_kit.hpp"

namespace sectile::conformance {
namespace {

int aligned_bits(const question& q) { return family_of(q.w).aligned_bits; }

void zeros_in_the_alignment(gpu_runner& gpu) {
  // Three products one below the cut that the zero would bring about, if its other factor's exponent counted.
  const auto below = [](question& q, const element& zero, const element& large) {
    const int exponent = smallest_exponent(zero) + std::ilogb(largest_power(large));
    q.small(std::max(exponent - aligned_bits(q) - 1, 2 * smallest_exponent(q.w.a) - 2), 3);
  };
  ask_all(gpu, "0 * largest power + 3 * 2^(one below the cut of its exponent)",
          [&](auto& q) { below(q.times(0.0, largest_power(q.w.b)), q.w.a, q.w.b); });
  ask_all(gpu, "largest power * 0 (A large), the same",
          [&](auto& q) { below(q.times(largest_power(q.w.a), 0.0), q.w.b, q.w.a); });
  ask(gpu, "C 0, 8 * 2^-152", bf16_f32, [](auto& q) { q.small(-152, 8); });
  ask(gpu, "C 0, 8 * 2^-152", tf32_f32, [](auto& q) { q.small(-152, 8); });
  ask(gpu, "scale-d 0, 8 * 2^-152", bf16_f32, [](auto& q) { q.small(-152, 8).overwrite(); });
  ask(gpu, "C 0, 16 * 2^-153", bf16_f32, [](auto& q) { q.small(-153, 16); });
  ask(gpu, "C 0, 16 * 2^-28", e5m2_f16, [](auto& q) { q.small(-28, 16); });
  ask(gpu, "C 2^-149, 8 * 2^-152", bf16_f32, [](auto& q) { q.small(-152, 8).plus_raw(1); });
}

void cuts(gpu_runner& gpu) {
  for (int below = -2; below <= 3; ++below) {
    const std::string what = "C 1 + 3 products of 2^-(F" + std::to_string(below) + ")";
    ask_all(gpu, what.c_str(), [&](auto& q) { q.small(-(aligned_bits(q) + below), 3).plus(1); });
  }
  for (int below = -1; below <= 2; ++below) {
    const std::string what = "1 - 1 + 7 products of 2^-(F+" + std::to_string(below) + "), C 0";
    const auto make = [&](question& q) {
      q.times(1, 1).times(-1, 1).small(-(aligned_bits(q) + below), q.w.a.bits == 32 ? 6 : 7);
    };
    ask_all(gpu, what.c_str(), make, true);
  }
  ask_all(gpu, "2 * 1.5 * 1.5 (product above 2) cancelled, + 5 * 2^-F (cut only if products are normalised)",
          [&](auto& q) { q.times(1.5, 1.5).times(-1.5, 1.5).small(-aligned_bits(q), 5); });
  ask_all(gpu, "C 2^24 (f16: 2048) + 5 of 1",
          [](auto& q) { q.times(1, 1, 5).plus(q.w.d.bits == 16 ? 2048 : power(24)); });
  ask_all(gpu, "C -2^26 (f16: -4096) + 5 of 1",
          [](auto& q) { q.times(1, 1, 5).plus(q.w.d.bits == 16 ? -4096 : -power(26)); });
}

void subnormals(gpu_runner& gpu) {
  std::puts("\n(f) subnormals");
  const auto c = [&](const char* what, std::uint32_t of_f16, std::uint32_t of_f32) {
    ask_all(gpu, what, [&](auto& q) { q.plus_raw(q.w.d.bits == 16 ? of_f16 : of_f32); });
  };
  c("C the smallest subnormal", 1, 1);
  c("C a subnormal with many bits", 0x155, 0x0055'5555);
  c("C just normal with many bits", 0x555, 0x00D5'5555);
  ask(gpu, "2^-140", bf16_f32, [](auto& q) { q.small(-140); });
  ask(gpu, "2^-149 + C 2^-149", bf16_f32, [](auto& q) { q.small(-149).plus_raw(1); });
  ask(gpu, "3 * 2^-150", bf16_f32, [](auto& q) { q.small(-150, 3); });
  ask(gpu, "subnormal A: 2^-133 * 2^10", bf16_f32, [](auto& q) { q.times(power(-133), power(10)); });
  ask(gpu, "subnormal A: 3 * 2^-24 * 1", f16_f32, [](auto& q) { q.times(3 * power(-24), 1); });
  ask(gpu, "C 2^-24 + 2^-24", f16_f16, [](auto& q) { q.small(-24).plus_raw(1); });
}

void halves(gpu_runner& gpu) {
  std::puts("\n(e) D = f16: 2048 + 1 + 2^-j, j = 0 .. 20: 6800 where the last term is lost");
  const auto series = [&](int family, const char* what, const make_question& start) {
    std::printf("%s%s:", name(family).c_str(), what);
    for (int j = 0; j <= 20; ++j) {
      question q{instruction(family)};
      start(q);
      std::printf(" %s", answer(gpu, q.small(-j)).c_str());
    }
    std::printf("\n");
  };
  for (const int f : {f16_f16, e4m3_f16, e5m2_f16}) {
    series(f, "", [](auto& q) { q.times(64, 32).times(1, 1); });
    series(f, ", C 2048 + 1 + 2^-j", [](auto& q) { q.times(1, 1).plus(2048); });
    series(f, ", 8 of 512 + 2 + 2^-j (6c00 where lost)", [](auto& q) { q.times(32, 16, 8).times(2, 1); });
    ask(gpu, "2048 + 1 (tie to even)", f, [](auto& q) { q.times(64, 32).times(1, 1); });
    ask(gpu, "2048 + 3 (tie to even)", f, [](auto& q) { q.times(64, 32).times(3, 1); });
    ask(gpu, "-2048 - 3", f, [](auto& q) { q.times(-64, 32).times(-3, 1); });
    ask(gpu, "4095 (rounds up into the next exponent)", f, [](auto& q) { q.times(64, 64).times(-1, 1); });
  }
}

/// A chain of e4m3 instructions that each add 32 times 1 * b.
void chain(gpu_runner& gpu, int instructions, double b, double predicted) {
  problem p = blank(instruction(e4m3_f32));
  std::fill_n(p.a.begin(), 32, bits_of(p.w.a, 1));
  std::fill_n(p.b.begin(), 32, bits_of(p.w.b, b));
  for (int i = 0; i < instructions; ++i) p.c[0] = on_gpu(gpu, p)[0];
  std::printf("e4m3 chain of 1 * %g, K = %d: %g (predicted %g)\n", b, 32 * instructions,
              static_cast<double>(std::bit_cast<float>(p.c[0])), predicted);
}

void known_vectors(gpu_runner& gpu) {
  std::puts("\n(g) known vectors");
  for (const int f : {e4m3_f32, e5m2_f32}) {
    ask(gpu, "A = B = 0, C = 1 + 2^-20 (predicted 3f800000)", f, [](auto& q) { q.plus(1 + power(-20)); });
    ask(gpu, "A = B = 0, C = 1 + 2^-13", f, [](auto& q) { q.plus(1 + power(-13)); });
    ask(gpu, "A = B = 0, C = 1 + 2^-14", f, [](auto& q) { q.plus(1 + power(-14)); });
    ask(gpu, "C = 1, 32 of 2^-14 (predicted 3f800000)", f, [](auto& q) { q.small(-14, 32).plus(1); });
    ask(gpu, "C = 1, 32 of 2^-13 (predicted 3f808000)", f, [](auto& q) { q.small(-13, 32).plus(1); });
  }
  ask(gpu, "448*448 + 31 (predicted 200704 = 48440000)", e4m3_f32, [](auto& q) { q.times(448, 448).times(1, 1, 31); });
  ask(gpu, "448*448 + 31*16 (predicted 201200 = 48447c00)", e4m3_f32,
      [](auto& q) { q.times(448, 448).times(4, 4, 31); });
  ask(gpu, "448*448 - 31 (predicted 48440000)", e4m3_f32, [](auto& q) { q.times(448, 448).times(-1, 1, 31); });
  ask(gpu, "C = 1, 16 of 2^-25 (predicted 3f800004)", bf16_f32, [](auto& q) { q.small(-25, 16).plus(1); });
  ask(gpu, "C = 1, 16 of 2^-26 (predicted 3f800000)", bf16_f32, [](auto& q) { q.small(-26, 16).plus(1); });
  ask(gpu, "C = 1, 3 of 2^-25 (predicted 3f800000)", bf16_f32, [](auto& q) { q.small(-25, 3).plus(1); });
  for (const int e : {24, 26}) {
    const std::string what = "2^" + std::to_string(e) + " + 1 - 2^" + std::to_string(e) + " (predicted " +
                             (e == 24 ? "3f800000)" : "00000000)");
    ask(gpu, what.c_str(), bf16_f32, [&](auto& q) { q.small(e).times(1, 1).times(-power(e / 2), power(e - e / 2)); });
  }
  chain(gpu, 1024, 1.0, 16384);
  chain(gpu, 128, 1.125, 4324);
}

/// Rows of `count` elements, their columns permuted.
std::vector<std::uint32_t> permuted(const std::vector<std::uint32_t>& rows, int count) {
  std::vector<std::uint32_t> out;
  for (int i = 0; i < static_cast<int>(rows.size()); ++i)
    out.push_back(rows[static_cast<std::size_t>(i / count * count + (5 * (i % count) + 3) % count)]);
  return out;
}

void order(gpu_runner& gpu) {
  std::puts("\n(q) the order of K: outputs that change when K is permuted");
  for (const int f : float_families) {
    for (const data_set set : {data_set::wide, data_set::any_finite}) {
      const problem p = make_problem(instruction(f), set, true, 5);
      problem q = p;
      q.a = permuted(p.a, p.stored());
      q.b = permuted(p.b, p.stored());
      const std::vector<std::uint32_t> x = on_gpu(gpu, p), y = on_gpu(gpu, q);
      int differ = 0;
      for (std::size_t i = 0; i < x.size(); ++i) differ += x[i] != y[i];
      std::printf(" %s %d/512", name(f).c_str(), differ);
    }
  }
  std::printf("\n");
}

/// Below which exponent terms never line up: a product far below what D can hold, and a smaller one that either still
/// changes the result or is cut.
void lowest_alignment(gpu_runner& gpu) {
  std::puts("\n(r) the lowest alignment");
  std::printf("f16>f16: 2^-25 + 2^-t, 0001 while 2^-t counts:");
  for (int t = 38; t <= 48; ++t)
    std::printf(" %d:%s", t, answer(gpu, question{instruction(f16_f16)}.small(-25).small(-t)).c_str());
  for (const int f : {bf16_f32, tf32_f32}) {
    std::printf("\n%s: 2^-148 - 2^-t, 00000001 while 2^-t counts:", name(f).c_str());
    for (int t = 150; t <= 166; ++t) {
      question q{instruction(f)};
      q.small(-148).times(-power(-75), power(75 - t));
      std::printf(" %d:%s", t, answer(gpu, q).c_str());
    }
  }
  std::puts("");
}

}  // namespace

void probe_precision(gpu_runner& gpu) {
  std::puts("\n(c) zeros in the alignment; (p) where terms are cut");
  zeros_in_the_alignment(gpu);
  cuts(gpu);
  subnormals(gpu);
  halves(gpu);
  known_vectors(gpu);
  order(gpu);
  lowest_alignment(gpu);
}

}  // namespace sectile::conformance
