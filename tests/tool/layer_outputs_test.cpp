// `sectile` on layers that leave more than a matrix: every output is checked, and has a file of its own.
#include <algorithm>
#include <cmath>

#include "tests/tool/cli.hpp"
#include "tests/tool/layer_numbers.hpp"
#include "tool/sizes.hpp"

namespace {

using namespace cli;

constexpr std::int64_t tall = 37, wide = 150, deep = 40;

outcome run_verified(const scratch_folder& folder, const std::string& what) {
  const outcome ran = sectile_in(folder, "run " + what + " --on model --out c.npy");
  CHECK_MESSAGE(ran.status == 0, ran.err);
  CHECK(ran.out.ends_with("VERIFIED\n"));
  return ran;
}

sizes shape_of(const scratch_folder& folder, const char* file) {
  return sectile::tool::read_npy(folder.path / file).shape;
}

}  // namespace

TEST_CASE("a gradient goes to files with its sums of columns") {
  const scratch_folder folder;
  const std::vector<float> a = pattern(tall * deep, 7), w = pattern(deep * wide, 5), z = pattern(tall * wide, 3);
  folder.write("a.npy", npy_type::f4, {tall, deep}, a);
  folder.write("w.npy", npy_type::f4, {deep, wide}, w);
  folder.write("z.npy", npy_type::f4, {tall, wide}, z);
  const outcome ran = run_verified(folder, "relu_gradient_bf16 --a a.npy --w w.npy --z z.npy --out-of-bias sums.npy");
  CHECK(contains(ran.out, "\nerror:    D: relative L2 "));
  CHECK(contains(ran.out, "\n          of_bias: element ("));
  CHECK(contains(ran.out, "written:  c.npy, 37x150 as '<V2'\nwritten:  sums.npy, 150 as '<f4'\n"));
  const std::vector<float> d = folder.numbers("c.npy"), sums = folder.numbers("sums.npy");
  CHECK(shape_of(folder, "sums.npy") == sizes{wide});
  int wrong = 0;
  for (std::int64_t j = 0; j < wide; ++j) {
    double sum = 0;
    for (std::int64_t i = 0; i < tall; ++i) {
      double x = 0;
      for (std::int64_t l = 0; l < deep; ++l) x += at(a, i * deep + l) * at(w, l * wide + j);
      if (at(z, i * wide + j) <= 0) x = 0;
      wrong += std::fabs(at(d, i * wide + j) - x) > 0.004 * std::fabs(x);
      sum += x;
    }
    wrong += at(sums, j) != sum;  // of whole numbers
  }
  CHECK(wrong == 0);
}

TEST_CASE("a number and vectors of tiles go to files") {
  const scratch_folder folder;
  const std::vector<float> a = pattern(tall * deep, 7), w = pattern(wide * deep, 5);
  folder.write("a.npy", npy_type::f4, {tall, deep}, a);
  folder.write("w.npy", npy_type::f4, {wide, deep}, w);
  folder.write("scale.npy", npy_type::f4, {}, {0.25F});
  CHECK(contains(run_verified(folder, "linear_amax_e4m3 --a a.npy --w w.npy --scale scale.npy --out-amax amax.npy").out,
                 "written:  amax.npy, a number as '<f4'\n"));
  CHECK(shape_of(folder, "amax.npy") == sizes{});
  run_verified(folder, "linear_cross_entropy_bf16 --a a.npy --w w.npy --out-sums sums.npy --out-most most.npy");
  CHECK(shape_of(folder, "most.npy") == sizes{2, tall});
  const std::vector<float> most = folder.numbers("most.npy"), sums = folder.numbers("sums.npy");
  double largest = 0;
  int wrong = 0;
  for (std::int64_t i = 0; i < tall; ++i)
    for (std::int64_t t = 0; t < 2; ++t) {
      const std::int64_t begin = 128 * t, end = std::min(wide, begin + 128);
      double top = dot(a, w, i, begin, deep), sum = 0;
      for (std::int64_t j = begin; j < end; ++j) {
        top = std::max(top, dot(a, w, i, j, deep));
        largest = std::max(largest, std::fabs(dot(a, w, i, j, deep)));
      }
      for (std::int64_t j = begin; j < end; ++j) sum += std::exp(dot(a, w, i, j, deep) - top);
      wrong += at(most, t * tall + i) != top;
      wrong += std::fabs(at(sums, t * tall + i) - sum) > 1e-4 * sum;
    }
  CHECK(wrong == 0);
  CHECK(at(folder.numbers("amax.npy"), 0) == largest / 4);
}

TEST_CASE("outputs that are not there, or would be lost, are refused") {
  const scratch_folder folder;
  folder.write("a.npy", npy_type::f4, {4, 8}, pattern(32, 3));
  const std::string amax = "run linear_amax_e4m3 --on model ";
  check_refusal(folder, amax + "--out-most x.npy",
                "--out-most: linear_amax_e4m3 has no such output; it writes C (--out), amax (--out-amax)");
  check_refusal(folder, "run gram_bf16 --out-amax x.npy", "gram_bf16 has no such output; it writes C (--out)");
  check_refusal(folder, amax + "--out-nothing x.npy", "--out-nothing");
  check_refusal(folder, amax + "--out x.npy --out-amax ./x.npy", "--out-amax ./x.npy: --out goes there as well");
  folder.write("x.npy", npy_type::f4, {1}, {1});
  check_refusal(folder, amax + "--out x.npy --out-amax ./x.npy", "--out-amax ./x.npy: --out goes there as well");
  check_refusal(folder, amax + "--a a.npy --w a.npy --scale x.npy --out-amax a.npy",
                "--out-amax a.npy: that is the file of --a, which would be lost");
  check_refusal(folder, amax + "--a a.npy --w a.npy --scale x.npy", "x.npy: it has 1 dimensions, (1,); expected 0");
  check_refusal(folder, amax + "--out-amax nowhere/x.npy", "no folder nowhere");
  CHECK(!std::filesystem::exists(folder.path / "c.npy"));
}

TEST_CASE("layers with several outputs are told about") {
  const scratch_folder folder;
  const std::string help = sectile_in(folder, "run --help").out;
  for (const char* words : {"--out-of-bias FILE.npy", "of_bias: N", "amax: a number", "most: T x M", "Z: M x N"})
    CHECK_MESSAGE(contains(help, words), help);
  for (const char* kernel : {"relu_gradient_bf16", "linear_amax_e4m3", "linear_cross_entropy_bf16"}) {
    CAPTURE(kernel);
    const outcome told = sectile_in(folder, std::string("explain ") + kernel);
    CHECK(told.status == 0);
    CHECK(contains(told.out, "Proofs"));
    CHECK(contains(sectile_in(folder, std::string("figure ") + kernel + " timeline").out, "</svg>"));
  }
  check_refusal(folder, "run linear_cross_entropy_bf16 --shape 8x8", "it ends before K; expected MxNxK");
}

TEST_CASE("a mode that counts tiles is no size of its own") {
  using namespace sectile::tool;
  const kernel_facts& kernel = find_kernel("linear_cross_entropy_bf16");
  CHECK(kernel.outputs() == 3);
  CHECK(size_letters(kernel) == "MNK");
  const named_sizes asked{.letters = "MNK", .at = {70, 260, 8}};
  CHECK(asked.of_output(kernel, 0) == sizes{70, 260});
  CHECK(asked.of_output(kernel, 2) == sizes{3, 70});
}
