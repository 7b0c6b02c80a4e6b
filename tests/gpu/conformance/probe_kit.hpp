// What the probes share: problems of one instruction that are written down by hand, and their answers.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gpu_runner.hpp"

namespace sectile::conformance {

// Numbers of families in the table.
constexpr int f16_f16 = 0, f16_f32 = 1, bf16_f32 = 2, tf32_f32 = 3, e4m3_f16 = 4, e4m3_f32 = 5, e5m2_f16 = 10,
              e5m2_f32 = 11, s8_s32 = 12;
constexpr int float_families[] = {f16_f16, f16_f32, bf16_f32, tf32_f32, e4m3_f16, e4m3_f32, e5m2_f16, e5m2_f32};

/// "f16>f32".
std::string name(int family);

/// 2^e.
double power(int e);

/// The bits of a number that the format has exactly.
std::uint32_t bits_of(const element& e, double x);
std::uint32_t infinity_bits(const element& e);
double largest_power(const element& e);
double smallest(const element& e);

/// The N = 8 instruction of a family with these properties.
wgmma_instruction instruction(int family, bool sparse = false, int selector = 0, major b_major = major::k);

/// Number of the form among the rows of its family with the same N.
int variant_number(const wgmma_instruction& w);

/// A problem of zeros; a sparse A keeps the first elements of each group.
problem blank(const wgmma_instruction& w, bool accumulate = true);

/// Sets the metadata nibble of one group.
void set_nibble(problem& p, int row, int group, int nibble);

/// D of a problem or of a prepared case on the GPU, 64 rows of n.
std::vector<std::uint32_t> on_gpu(gpu_runner& gpu, const problem& p);
std::vector<std::uint32_t> on_gpu(gpu_runner& gpu, const prepared_case& c);

/// A product a * b by its bits.
struct pair_of_bits {
  std::uint32_t a, b;
};

/// One output: its products and C.
struct question {
  wgmma_instruction w;
  std::vector<pair_of_bits> products{};
  std::uint32_t c = 0;
  bool accumulate = true;

  question& times(double a, double b, int count = 1);
  question& raw(std::uint32_t a, std::uint32_t b, int count = 1);
  /// Fills whatever is left with the product a * b.
  question& rest(double a, double b);
  /// 2^exponent as a product.
  question& small(int exponent, int count = 1);
  question& plus(double x);
  question& plus_raw(std::uint32_t x);
  question& overwrite();
};

/// The hardware's bits, with the reference's behind them if they differ.
std::string answer(gpu_runner& gpu, const question& q);

using make_question = std::function<void(question&)>;

/// Prints what one family, or every kind of float, makes of a question.
void ask(gpu_runner& gpu, const char* what, int family, const make_question& make);
void ask_all(gpu_runner& gpu, const char* what, const make_question& make, bool sparse_too = false);

}  // namespace sectile::conformance
