// How many dot products of one wgmma instruction the CPU model computes per second, on one core, by format, tile width
// and host instruction set. A 512 x 512 x 512 product in bf16 is 8.4 million dot products of 16.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include <sectile/dsl/model/numerics.hpp>

namespace {

using namespace sectile::model;

/// Random bit patterns of moderate size: about 2^-4 to 2^4, either sign.
template <class bits>
std::vector<bits> random_elements(const number_format& format, int count, std::mt19937& random) {
  std::vector<bits> elements(static_cast<std::size_t>(count));
  const int fraction_end = format.fraction_bits + format.ignored_bits;
  for (bits& x : elements) {
    const auto draw = static_cast<std::uint32_t>(random());
    const std::uint32_t fraction = draw & ((1u << fraction_end) - 1);
    const std::uint32_t field = static_cast<std::uint32_t>(format.bias() - 4) + (draw >> 23) % 8;
    const std::uint32_t sign = (draw >> 31) << (format.storage_bits - 1);
    x = static_cast<bits>(sign | field << fraction_end | fraction);
  }
  return elements;
}

template <class bits>
void report(const char* name, const number_format& format, int n, host_vectors vectors) {
  constexpr const char* vector_names[] = {"baseline", "avx2", "avx512"};
  constexpr int m = 64;
  const int k = instruction_k(format);
  std::mt19937 random(1);
  const auto a = random_elements<bits>(format, m * k, random);
  const auto b = random_elements<bits>(format, n * k, random);
  std::vector<float> d(static_cast<std::size_t>(m * n), 1.0f);

  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  double seconds = 0;
  long long dots = 0;
  while (seconds < 0.2) {
    for (int i = 0; i < 8; ++i) {
      multiply_accumulate<bits>(d.data(), n, {a.data(), k, format}, {b.data(), k, format}, m, n, scale_d::one, vectors);
    }
    dots += 8LL * m * n;
    seconds = std::chrono::duration<double>(clock::now() - start).count();
  }
  std::printf("%-5s m64n%-3dk%-3d %-9s %8.1f million dot products/s\n", name, n, k,
              vector_names[static_cast<int>(vectors)], static_cast<double>(dots) / seconds * 1e-6);
}

void report_reference() {
  constexpr int k = 16, count = 200'000;
  std::mt19937 random(1);
  const auto a = random_elements<std::uint16_t>(bf16_format, k, random);
  const auto b = random_elements<std::uint16_t>(bf16_format, k, random);
  const auto start = std::chrono::steady_clock::now();
  float c = 0;
  for (int i = 0; i < count; ++i) c = dot_accumulate(bf16_format, a.data(), b.data(), k, c);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("bf16  reference, k16         %8.1f million dot products/s (result %g)\n", count / seconds * 1e-6,
              static_cast<double>(c));
}

}  // namespace

int main() {
  report_reference();
  for (int level = 0; level <= static_cast<int>(best_host_vectors()); ++level) {
    const auto vectors = static_cast<host_vectors>(level);
    for (const int n : {8, 64, 256}) report<std::uint16_t>("bf16", bf16_format, n, vectors);
    report<std::uint16_t>("f16", f16_format, 256, vectors);
    report<std::uint32_t>("tf32", tf32_format, 256, vectors);
    report<std::uint8_t>("e4m3", e4m3_format, 256, vectors);
    report<std::uint8_t>("e5m2", e5m2_format, 256, vectors);
  }
}
