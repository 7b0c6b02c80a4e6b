// The bars that results are held against: not below what the instructions lose, and not so far above that an error
// hides.
#include "tool/error_bar.hpp"

#include <cmath>
#include <initializer_list>

#include "tests/tool/cli.hpp"
#include "tool/kernel_list.hpp"

namespace {

using namespace cli;
using sectile::tool::find_kernel;
using sectile::tool::signs;

double bar_of(const char* name, std::int64_t k, signs s) {
  const sectile::tool::kernel_facts& kernel = find_kernel(name);
  return sum_error_bar(kernel.planned->products.at[0].instruction, kernel.output().type, k, s);
}

/// The number behind `words` in a run's output.
double number_behind(const outcome& run, const std::string& words) {
  return std::stod(run.out.substr(run.out.find(words) + words.size()));
}

}  // namespace

TEST_CASE("a bar is that of the result's type, and grows with K where sums lose bits") {
  for (const signs s : {signs::random, signs::any}) {
    CHECK(bar_of("gemm_bf16", 16, s) == doctest::Approx(0x1p-8).epsilon(0.01));
    CHECK(bar_of("gemm_f16", 16, s) == doctest::Approx(0x1p-11).epsilon(0.01));
    CHECK(bar_of("gemm_bf16_f32", 16, s) == 1e-5);
    CHECK(bar_of("gemm_bf16_f32", 1 << 20, s) > 1e-3);
    CHECK(bar_of("gemm_e4m3", 4096, s) > bar_of("gemm_e4m3", 64, s));
    CHECK(bar_of("gemm_s8", 4096, s) == 0);
    CHECK(bar_of("gemm_b1", 4096, s) == 0);
  }
  CHECK(bar_of("gemm_e4m3", 1 << 15, signs::random) < 0.03);
  CHECK(bar_of("gemm_e4m3", 4096, signs::any) < 0.2);
}

TEST_CASE("what an instruction explains is less than a bar, and is not cut off below") {
  const auto explained = [](const char* name, std::int64_t k) {
    return sum_error(find_kernel(name).planned->products.at[0].instruction, k, signs::any);
  };
  CHECK(explained("gemm_bf16", 16) < 1e-6);
  CHECK(explained("gemm_bf16", 16) > 0x1p-26);
  CHECK(explained("gemm_bf16", 1 << 20) > 1e-3);
  CHECK(explained("gemm_s8", 4096) == 0);
}

namespace {

/// Long sums of random numbers, and of numbers of one sign, by these kernels.
void check_long_sums(std::initializer_list<const char*> random, std::initializer_list<const char*> of_one_sign) {
  const scratch_folder folder;
  constexpr std::int64_t rows = 8, k = 8192;
  const auto check = [&](const std::string& kernel, const std::string& operands) {
    CAPTURE(kernel);
    CAPTURE(operands);
    const outcome run = sectile_in(folder, "run " + kernel + " --on model --no-check-hazards " + operands);
    CHECK_MESSAGE(run.status == 0, run.out);
    CHECK(number_behind(run, "relative L2 ") > number_behind(run, "(at most ") / 10);
  };
  for (const char* kernel : random) check(kernel, "--shape 8x8x8192");
  // All of one sign: |normal|.
  REQUIRE(sectile_in(folder, "random --shape 8x8192 --seed 1 --type f4 --out x.npy").status == 0);
  std::vector<float> positive = folder.numbers("x.npy");
  for (float& x : positive) x = std::fabs(x);
  folder.write("x.npy", npy_type::f4, {rows, k}, positive);
  for (const char* kernel : of_one_sign) check(kernel, "--a x.npy --b x.npy");
}

}  // namespace

TEST_CASE("long sums of either kind stay below their bar, and within a factor of ten of it") {
  check_long_sums({"gemm_f16_f16", "gemm_e4m3", "sparse_gemm_tf32"}, {"gemm_bf16_f32", "gemm_e5m2"});
}

TEST_CASE("long sums of other kernels do, too" * doctest::test_suite("exhaustive")) {
  check_long_sums({"gemm_bf16_f32", "gemm_tf32", "gemm_e5m2"}, {"gemm_f16_f16", "gemm_tf32", "gemm_e4m3"});
}
