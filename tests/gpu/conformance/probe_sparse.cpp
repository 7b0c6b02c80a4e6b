// Metadata of sparse A: what each nibble selects, which lanes hold it, and what becomes of elements it leaves out.
#include <cstdio>

#include "probe.hpp"
#include "probe_kit.hpp"

namespace sectile::conformance {
namespace {

std::uint32_t bits_of_number(const element& e, int x) {
  return e.kind == number::floating ? bits_of(e, x) : static_cast<std::uint32_t>(x);
}

int number_of(const element& d, std::uint32_t bits) {
  return static_cast<int>(d.kind == number::floating ? std::bit_cast<float>(bits) : static_cast<float>(bits));
}

/// B holds 1, 2, 4, 8, so that a result names the elements that it met. Row 0 of A stores 1, 0; row 1 stores 0, 1; row
/// 2 stores 1, 16.
void nibbles_of_four(gpu_runner& gpu) {
  std::puts(
      "\n(h) metadata nibbles: which element of B (0..3) the first and the second stored value meet; - means none");
  for (const int f : {f16_f32, bf16_f32, e4m3_f32, s8_s32}) {
    std::printf("%s:", name(f).c_str());
    for (int nibble = 0; nibble < 16; ++nibble) {
      problem p = blank(instruction(f, true));
      const auto row = [&](int r) { return static_cast<std::size_t>(r * p.stored()); };
      p.a[row(0)] = p.a[row(1) + 1] = p.a[row(2)] = bits_of_number(p.w.a, 1);
      p.a[row(2) + 1] = bits_of_number(p.w.a, 16);
      for (int k = 0; k < 4; ++k) p.b[static_cast<std::size_t>(k)] = bits_of_number(p.w.b, 1 << k);
      for (int r = 0; r < 3; ++r) set_nibble(p, r, 0, nibble);
      const std::vector<std::uint32_t> d = on_gpu(gpu, p);
      const auto result = [&](int r) { return number_of(p.w.d, d[static_cast<std::size_t>(8 * r)]); };
      std::printf(" %X:first=%d,second=%d,both=%d+16*%d", nibble, result(0), result(1), result(2) % 16, result(2) / 16);
    }
    std::printf("\n");
  }
}

void nibbles_of_tf32(gpu_runner& gpu) {
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
}

/// One value of a group is stored, as the first of nibble 4 (elements 0 and 1), and B is infinite where `at` says.
void infinities_of_b(gpu_runner& gpu) {
  std::puts("an infinity of B: opposite the stored 1, opposite a stored zero, opposite an element that is not stored");
  for (const int f : {f16_f16, f16_f32, bf16_f32, e5m2_f16, e5m2_f32}) {
    std::printf("%s:", name(f).c_str());
    for (const int at : {0, 1, 2}) {
      problem p = blank(instruction(f, true));
      p.a[0] = bits_of(p.w.a, 1);
      p.b[static_cast<std::size_t>(at)] = infinity_bits(p.w.b);
      std::printf(" %0*x", p.w.d.bits / 4, on_gpu(gpu, p)[0]);
    }
    std::printf("\n");
  }
}

constexpr std::uint32_t first_elements = 0x4444'4444, other_elements = 0xEEEE'EEEE;

/// Lane `speaker` of each four says that other elements are stored than the three others say. Returns, of rows 0 and 8,
/// an x for each group that heeded it.
std::pair<std::string, std::string> groups_of_lane(gpu_runner& gpu, const wgmma_instruction& w, int speaker) {
  problem p = blank(w);
  const int rank = w.a.bits == 32 ? 2 : 4, stored = rank / 2;
  for (int row : {0, 8})
    for (int s = 0; s < p.stored(); s += stored) p.a[static_cast<std::size_t>(row * p.stored() + s)] = bits_of(w.a, 1);

  // Column g of B holds 1, 2, 3, 4 in one group, and zeros elsewhere: eight groups at once.
  std::pair<std::string, std::string> heeded;
  for (int first = 0; first < p.groups(); first += 8) {
    const int last = std::min(first + 8, p.groups());
    std::fill(p.b.begin(), p.b.end(), 0u);
    for (int g = first; g < last; ++g)
      for (int k = 0; k < rank; ++k)
        p.b[static_cast<std::size_t>((g - first) * p.inner() + g * rank + k)] = bits_of(w.b, k + 1);
    prepared_case c = prepare_problem(p, 0, 0, 1);
    for (int thread = 0; thread < 128; ++thread)
      c.sources[static_cast<std::size_t>(512 + thread)] = thread % 4 == speaker ? other_elements : first_elements;
    const std::vector<std::uint32_t> d = on_gpu(gpu, c);
    const auto mark = [&](int row, int g) {
      return std::bit_cast<float>(d[static_cast<std::size_t>(8 * row + g - first)]) == 1.0f ? '.' : 'x';
    };
    for (int g = first; g < last; ++g) heeded.first += mark(0, g), heeded.second += mark(8, g);
  }
  return heeded;
}

void lanes(gpu_runner& gpu) {
  std::puts("which lane of the four gives the metadata of rows 0 and 8, groups from left to right");
  for (const int f : {f16_f32, tf32_f32, e4m3_f32}) {
    for (int selector = 0; selector < (f == e4m3_f32 ? 1 : 2); ++selector) {
      std::printf("%s selector %d:", name(f).c_str(), selector);
      for (int speaker = 0; speaker < 4; ++speaker) {
        const auto [row_0, row_8] = groups_of_lane(gpu, instruction(f, true, selector), speaker);
        std::printf(" lane %d: row 0 %s row 8 %s;", speaker, row_0.c_str(), row_8.c_str());
      }
      std::printf("\n");
    }
  }
}

}  // namespace

void probe_sparse(gpu_runner& gpu) {
  nibbles_of_four(gpu);
  nibbles_of_tf32(gpu);
  infinities_of_b(gpu);
  lanes(gpu);
}

}  // namespace sectile::conformance
