// `sectile` on kernels without a product, of whole rows and of elements, and on numbers that a kernel takes.
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "tests/tool/cli.hpp"
#include "tests/tool/layer_numbers.hpp"

namespace {

using namespace cli;

constexpr std::int64_t rows = 5, cols = 300;

/// Files x, gamma, beta and scale, and the numbers in them.
struct row_files {
  const scratch_folder& folder;
  std::vector<float> x = pattern(rows * cols, 7), gamma = pattern(cols, 5), beta = pattern(cols, 3);

  explicit row_files(const scratch_folder& in) : folder(in) {
    folder.write("x.npy", npy_type::f4, {rows, cols}, x);
    folder.write("gamma.npy", npy_type::f4, {cols}, gamma);
    folder.write("beta.npy", npy_type::f4, {cols}, beta);
    folder.write("scale.npy", npy_type::f4, {}, {0.5F});
  }
  std::string run(const std::string& what) const {
    CAPTURE(what);
    const outcome ran = sectile_in(folder, "run " + what + " --on model --x x.npy --out y.npy");
    CHECK_MESSAGE(ran.status == 0, ran.err);
    CHECK_MESSAGE(ran.out.ends_with("VERIFIED\n"), ran.out);
    return ran.out;
  }
  /// Whether y.npy is what `expected(row, column)` says, but for the rounding to bf16.
  template <class Expected>
  void check(Expected expected) const {
    const std::vector<float> y = folder.numbers("y.npy");
    REQUIRE(y.size() == x.size());
    int wrong = 0;
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < cols; ++j)
        wrong += std::fabs(at(y, i * cols + j) - expected(i, j)) > 0.004 * std::fabs(expected(i, j)) + 1e-6;
    CHECK(wrong == 0);
  }
  /// The mean of f(x) along a row.
  template <class F>
  double mean(std::int64_t row, F f) const {
    double sum = 0;
    for (std::int64_t j = 0; j < cols; ++j) sum += f(at(x, row * cols + j));
    return sum / static_cast<double>(cols);
  }
};

double square(double x) { return x * x; }

}  // namespace

TEST_CASE("softmax and norms run on files, and give what their formulas say") {
  const scratch_folder folder;
  const row_files files(folder);
  const std::string softmax = files.run("softmax_bf16");
  CHECK(contains(softmax, "Y = softmax(X) by rows with M = 5, N = 300\n"));
  CHECK(contains(softmax, "\nerror:    relative L2 "));
  files.check([&](auto i, auto j) {
    return std::exp(at(files.x, i * cols + j)) / files.mean(i, [](double x) { return std::exp(x); }) / cols;
  });
  CHECK(contains(files.run("rms_norm_bf16 --gamma gamma.npy --epsilon 0.25"), "N = 300, epsilon = 0.25\n"));
  files.check([&](auto i, auto j) {
    return at(files.x, i * cols + j) / std::sqrt(files.mean(i, square) + 0.25) * at(files.gamma, j);
  });
  CHECK(contains(files.run("layer_norm_bf16 --gamma gamma.npy --beta beta.npy"), "N = 300, epsilon = 1e-05\n"));
  files.check([&](auto i, auto j) {
    const double mean = files.mean(i, [](double x) { return x; });
    const double variance = files.mean(i, square) - mean * mean;
    return (at(files.x, i * cols + j) - mean) / std::sqrt(variance + 1e-5) * at(files.gamma, j) + at(files.beta, j);
  });
}

TEST_CASE("elements are cast and moved") {
  const scratch_folder folder;
  const row_files files(folder);
  const std::string cast = files.run("cast_amax_bf16_e4m3 --scale scale.npy --out-amax amax.npy");
  CHECK(contains(cast, "Y = X * scale, amax = max(|X|) with M = 5, N = 300\n"));
  CHECK(contains(cast, "\nerror:    Y: none, all 1500 elements are exact\n"));
  CHECK(contains(cast, "\n          amax: none, it is exact\n"));
  CHECK(folder.numbers("amax.npy") == std::vector<float>{3});
  CHECK(contains(files.run("transposed_copy_bf16"), "error:    none, all 1500 elements are exact\n"));
  CHECK(sectile::tool::read_npy(folder.path / "y.npy").shape == sizes{cols, rows});
  const std::vector<float> y = folder.numbers("y.npy");
  int wrong = 0;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < cols; ++j) wrong += at(y, j * rows + i) != at(files.x, i * cols + j);
  CHECK(wrong == 0);
}

TEST_CASE("rows of blocks are quantised, each with its scale") {
  const scratch_folder folder;
  const row_files files(folder);
  const std::string ran = files.run("quantized_blocks_bf16_e4m3 --out-s s.npy");
  CHECK(contains(ran,
                 "Q = X / S by rows, S = max(|X|) / the largest of Q's type by rows of blocks with M = 5, K = 300\n"));
  CHECK(contains(ran, "\n          S: "));
  CHECK(sectile::tool::read_npy(folder.path / "s.npy").shape == sizes{3, rows});
  for (const float scale : folder.numbers("s.npy")) CHECK(scale == 3.0F / 448);
}

TEST_CASE("a sum takes the place of one of its terms, with the numbers that are given") {
  const scratch_folder folder;
  constexpr std::int64_t m = 9, n = 20, k = 16;
  const std::vector<float> a = pattern(m * k, 7), w = pattern(n * k, 5), r = pattern(m * n, 13);
  folder.write("a.npy", npy_type::f4, {m, k}, a);
  folder.write("w.npy", npy_type::f4, {n, k}, w);
  folder.write("r.npy", npy_type::f4, {m, n}, r);
  const std::string sum = "run scaled_sum_bf16 --on model --a a.npy --w w.npy --r r.npy --out c.npy";
  const auto check = [&](const std::string& more, double alpha, double beta) {
    const outcome ran = sectile_in(folder, sum + more);
    CHECK_MESSAGE(ran.status == 0, ran.err);
    CHECK(contains(ran.out, "C = alpha A W^T + beta R, in place of R, with M = 9, N = 20, K = 16, alpha = "));
    const std::vector<float> c = folder.numbers("c.npy");
    int wrong = 0;
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        const double x = alpha * dot(a, w, i, j, k) + beta * at(r, i * n + j);
        wrong += std::fabs(at(c, i * n + j) - x) > 0.004 * std::fabs(x);
      }
    CHECK(wrong == 0);
  };
  check("", 0.5, -2);
  check(" --alpha 3", 3, -2);
  check(" --alpha -0.25 --beta 1e1", -0.25, 10);
  const std::string random = "run scaled_sum_bf16 --on model --shape 9x20x16";
  CHECK(sectile_in(folder, random + " --beta 0").status == 0);
  check_refusal(folder, random + " --beta r.npy", "--beta: 'r.npy' is not a finite number that f32 has a place for");
  check_refusal(folder, random + " --alpha inf", "--alpha: 'inf' is not a finite number");
  check_refusal(folder, random + " --alpha 1e39", "--alpha: '1e39' is not a finite number");
  check_refusal(folder, random + " --alpha 2x", "--alpha: '2x' is not a finite number");
  check_refusal(folder, random + " --epsilon 1",
                "--epsilon: scaled_sum_bf16 takes --a, --w, --r and the numbers --alpha, --beta");
  check_refusal(folder, "run softmax_bf16 --on model --epsilon 1", "--epsilon: softmax_bf16 takes --x");
  check_refusal(folder, "run attention_d64 --on model --alpha 1", "--alpha: attention_d64 takes --q, --k, --v");
}

TEST_CASE("two matrices go to files") {
  const scratch_folder folder;
  folder.write("a.npy", npy_type::f4, {9, 16}, pattern(9 * 16, 7));
  folder.write("w.npy", npy_type::f4, {20, 16}, pattern(20 * 16, 5));
  folder.write("bias.npy", npy_type::f4, {20}, pattern(20, 3));
  const outcome ran = sectile_in(folder,
                                 "run linear_gelu_aux_bf16 --on model --a a.npy --w w.npy --bias bias.npy --out z.npy "
                                 "--out-c c.npy");
  CHECK_MESSAGE(ran.status == 0, ran.err);
  CHECK(contains(ran.out, "Z = A W^T + bias, C = gelu(Z) with M = 9, N = 20, K = 16\n"));
  CHECK(contains(ran.out, "\nerror:    Z: relative L2 "));
  CHECK(contains(ran.out, "\n          C: relative L2 "));
  const std::vector<float> z = folder.numbers("z.npy"), c = folder.numbers("c.npy");
  REQUIRE(z.size() == 180);
  REQUIRE(c.size() == z.size());
  int wrong = 0, negative = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double x = static_cast<double>(z[i]), gelu = x * std::erfc(-x / std::sqrt(2.0)) / 2;
    wrong += std::fabs(static_cast<double>(c[i]) - gelu) > 0.01 * std::fabs(gelu) + 1e-4;
    negative += x < 0;
  }
  CHECK(wrong == 0);
  CHECK(negative > 0);
}

namespace {

void check_telling(std::initializer_list<const char*> kernels) {
  const scratch_folder folder;
  for (const char* kernel : kernels) {
    CAPTURE(kernel);
    const outcome told = sectile_in(folder, std::string("explain ") + kernel);
    CHECK(told.status == 0);
    CHECK(contains(told.out, "Proofs"));
    CHECK(contains(sectile_in(folder, std::string("figure ") + kernel + " timeline").out, "</svg>"));
  }
}

}  // namespace

TEST_CASE("more kernels without a product are told about" * doctest::test_suite("exhaustive")) {
  check_telling({"softmax_bf16", "rms_norm_bf16", "long_softmax_bf16", "long_layer_norm_bf16"});
}

TEST_CASE("kernels without a product are told about") {
  const scratch_folder folder;
  const std::string help = sectile_in(folder, "run --help").out;
  for (const char* words :
       {"--x FILE.npy", "or M x N", "gamma: N", "--alpha NUMBER", "alpha: the number itself (0.5)",
        "--beta FILE.npy|NUMBER", "beta: the number itself (-2), or N", "--epsilon NUMBER", "--out-c FILE.npy"})
    CHECK_MESSAGE(contains(help, words), help);
  check_telling({"layer_norm_bf16", "cast_amax_bf16_e4m3", "transposed_copy_bf16"});
  check_refusal(folder, "run softmax_bf16 --shape 8x8x8", "expected MxN");
  check_refusal(folder, "run transposed_copy_bf16 --shape 8", "it ends before M; expected NxM");
  check_refusal(folder, "run softmax_bf16 --reading wmma", "--reading wmma: softmax_bf16 is read for wgmma only");
}
