// `sectile` on layers: operands that are vectors, several products, and one matrix twice.
#include <cmath>

#include "tests/tool/cli.hpp"
#include "tests/tool/layer_numbers.hpp"

namespace {

using namespace cli;

constexpr std::int64_t height = 37, width = 53, depth = 48;

/// Whether every element of a file is what `expected(i, j)` says, but for the rounding to bf16.
template <class Expected>
void check_close(const scratch_folder& folder, const char* file, std::int64_t rows, std::int64_t cols,
                 Expected expected) {
  const std::vector<float> c = folder.numbers(file);
  REQUIRE(c.size() == static_cast<std::size_t>(rows * cols));
  int wrong = 0;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < cols; ++j) {
      const double x = at(c, i * cols + j), y = expected(i, j);
      wrong += !(std::fabs(x - y) <= 0.004 * std::fabs(y) + 1e-4);
    }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("layers run on files, and give what their formulas say") {
  const scratch_folder folder;
  const std::vector<float> a = pattern(height * depth, 7), w = pattern(width * depth, 5);
  const std::vector<float> v = pattern(width * depth, 11), r = pattern(height * width, 13);
  const std::vector<float> bias = pattern(width, 9), of_row(height, 0.5F), of_col = pattern(width, 3);
  folder.write("a.npy", npy_type::f4, {height, depth}, a);
  folder.write("w.npy", npy_type::f4, {width, depth}, w);
  folder.write("v.npy", npy_type::f4, {width, depth}, v);
  folder.write("r.npy", npy_type::f4, {height, width}, r);
  folder.write("bias.npy", npy_type::f4, {width}, bias);
  folder.write("row.npy", npy_type::f4, {height}, of_row);
  folder.write("col.npy", npy_type::f8, {width}, of_col);
  const auto run = [&](const std::string& what) {
    CAPTURE(what);
    const outcome ran = sectile_in(folder, "run " + what + " --on model --a a.npy --out c.npy");
    CHECK_MESSAGE(ran.status == 0, ran.err);
    CHECK(ran.out.ends_with("VERIFIED\n"));
    return ran.out;
  };
  CHECK(contains(run("linear_gelu_bf16 --w w.npy --bias bias.npy"),
                 "C = gelu(A W^T + bias) with M = 37, N = 53, K = 48"));
  check_close(folder, "c.npy", height, width, [&](auto i, auto j) {
    const double x = dot(a, w, i, j, depth) + at(bias, j);
    return x * std::erfc(-x / std::sqrt(2.0)) / 2;
  });
  run("linear_residual_bf16 --w w.npy --bias bias.npy --r r.npy");
  check_close(folder, "c.npy", height, width,
              [&](auto i, auto j) { return dot(a, w, i, j, depth) + at(bias, j) + at(r, i * width + j); });
  run("swiglu_bf16 --w w.npy --v v.npy");
  check_close(folder, "c.npy", height, width, [&](auto i, auto j) {
    const double gate = dot(a, w, i, j, depth);
    return gate / (1 + std::exp(-gate)) * dot(a, v, i, j, depth);
  });
  for (const char* kernel : {"scaled_linear_e4m3", "scaled_linear_s8"}) {
    const std::string said = run(std::string(kernel) + " --w w.npy --of-row row.npy --of-col col.npy");
    CHECK(contains(said, "col.npy: its numbers ('<f8') are rounded to f32\n"));
    CHECK(!contains(said, "row.npy: its numbers"));
    check_close(folder, "c.npy", height, width,
                [&](auto i, auto j) { return dot(a, w, i, j, depth) * at(of_row, i) * at(of_col, j); });
  }
  CHECK(contains(run("gram_bf16"), "C = A A^T with M = 37, K = 48"));
  check_close(folder, "c.npy", height, height, [&](auto i, auto j) { return dot(a, a, i, j, depth); });
}

TEST_CASE("operands of layers that do not fit are refused") {
  const scratch_folder folder;
  folder.write("a.npy", npy_type::f4, {4, 8}, pattern(32, 3));
  folder.write("w.npy", npy_type::f4, {6, 8}, pattern(48, 3));
  folder.write("long.npy", npy_type::f4, {7}, pattern(7, 3));
  folder.write("right.npy", npy_type::f4, {6}, pattern(6, 3));
  folder.write("row.npy", npy_type::f4, {1, 6}, pattern(6, 3));
  folder.write("empty.npy", npy_type::f4, {0}, {});
  const std::string linear = "run linear_gelu_bf16 --a a.npy --w w.npy ";
  check_refusal(folder, linear + "--bias long.npy",
                "w.npy is 6x8 and long.npy is 7: W is N x K and bias is N, so both need the same N, not 6 and 7");
  check_refusal(folder, linear + "--bias row.npy", "row.npy: it has 2 dimensions, (1, 6); expected 1 (bias, N)");
  check_refusal(folder, linear + "--bias empty.npy", "every size must be at least 1");
  check_refusal(folder, linear + "--bias none.npy", "none.npy: there is no such file");
  check_refusal(folder, linear, "--bias is missing: linear_gelu_bf16 takes --a, --w, --bias together");
  check_refusal(folder, linear + "--bias right.npy --r a.npy", "--r: linear_gelu_bf16 takes --a, --w, --bias");
  check_refusal(folder, linear + "--bias right.npy --out right.npy", "that is the file of --bias, which would be lost");
  check_refusal(folder, "run linear_residual_bf16 --a a.npy --w w.npy --bias right.npy --r w.npy",
                "a.npy is 4x8 and w.npy is 6x8: A is M x K and R is M x N, so both need the same M, not 4 and 6");
  check_refusal(folder, "run scaled_linear_s8 --a a.npy --w w.npy --of-row right.npy --of-col right.npy",
                "A is M x K and of_row is M, so both need the same M, not 4 and 6");
  check_refusal(folder, "run gram_bf16 --shape 8x8x8", "expected MxK");
  check_refusal(folder, "run swiglu_bf16 --shape 8x8", "it ends before K; expected MxNxK");
  check_refusal(folder, "run swiglu_bf16 --reading wmma", "--reading wmma: swiglu_bf16 is read for wgmma only");
}

TEST_CASE("random vectors are files that layers take, and the same numbers as without files") {
  const scratch_folder folder;
  CHECK(sectile_in(folder, "random --shape 20x64 --seed 1 --out a.npy").status == 0);
  CHECK(sectile_in(folder, "random --shape 30x64 --seed 2 --out w.npy").status == 0);
  const outcome vector = sectile_in(folder, "random --shape 30 --seed 3 --out bias.npy");
  CHECK(contains(vector.out, "bias.npy: 30 standard-normal numbers, bf16"));
  CHECK(sectile::tool::read_npy(folder.path / "bias.npy").shape == sizes{30});
  CHECK(sectile_in(folder, "run linear_gelu_bf16 --on model --a a.npy --w w.npy --bias bias.npy --out c.npy").status ==
        0);
  CHECK(sectile_in(folder, "run linear_gelu_bf16 --on model --shape 20x30x64 --seed 1 --out d.npy").status == 0);
  CHECK(folder.read("c.npy") == folder.read("d.npy"));
}

TEST_CASE("layers are explained, and options name the operands of all kernels") {
  const scratch_folder folder;
  const outcome linear = sectile_in(folder, "explain linear_gelu_bf16");
  CHECK(linear.status == 0);
  for (const char* words : {"linear_gelu_bf16: C = gelu(A W^T + bias)", "bias", "Proofs"}) {
    CAPTURE(words);
    CHECK(contains(linear.out, words));
  }
  const outcome gated = sectile_in(folder, "explain swiglu_bf16 --svg pictures");
  CHECK(gated.status == 0);
  for (const char* name : {"A", "W", "V"})
    CHECK(contains(folder.read(std::string("pictures/swiglu_bf16.") + name + ".svg"), "</svg>"));
  const std::string help = sectile_in(folder, "run --help").out;
  for (const char* words :
       {"--a FILE.npy", "A: M x K", "--of-row FILE.npy", "of_row: M", "V: N x K, or N x L, or B x H x S x D"})
    CHECK_MESSAGE(contains(help, words), help);
}

TEST_CASE("scales go with blocks of what is summed over, whose number follows from the sizes") {
  const scratch_folder folder;
  constexpr std::int64_t m = 9, n = 140, k = 300, blocks = 3;
  const std::vector<float> a = pattern(m * k, 7), b = pattern(n * k, 5);
  const std::vector<float> of_rows{1, 2, 4, 0.5F, 1,  2, -1, 1, 1, 1, 1, 1, 8, 1,
                                   1, 1, 1, 1,    -2, 2, 1,  1, 4, 1, 1, 1, 2};
  const std::vector<float> of_squares{1, 2, -4, 0.5F, 1, 2};
  folder.write("a.npy", npy_type::f4, {m, k}, a);
  folder.write("b.npy", npy_type::f4, {n, k}, b);
  folder.write("sa.npy", npy_type::f4, {blocks, m}, of_rows);
  folder.write("sb.npy", npy_type::f4, {2, blocks}, of_squares);
  folder.write("few.npy", npy_type::f4, {blocks - 1, m}, {of_rows.begin(), of_rows.end() - m});
  const std::string run = "run block_scaled_gemm_e4m3 --on model --a a.npy --b b.npy --sb sb.npy --sa ";
  const outcome ran = sectile_in(folder, run + "sa.npy --out c.npy");
  CHECK_MESSAGE(ran.status == 0, ran.err);
  CHECK(contains(ran.out, "C = A B^T * SA * SB by blocks of K with M = 9, N = 140, K = 300\n"));
  const std::vector<float> c = folder.numbers("c.npy");
  int wrong = 0;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int64_t l = 0; l < k; ++l)
        sum += at(a, i * k + l) * at(b, j * k + l) * at(of_rows, l / 128 * m + i) *
               at(of_squares, j / 128 * blocks + l / 128);
      wrong += std::fabs(at(c, i * n + j) - sum) > 0.004 * std::fabs(sum);  // of small numbers: rounded to bf16 alone
    }
  CHECK(wrong == 0);
  const outcome refused = sectile_in(folder, run + "few.npy");
  CHECK(refused.status != 0);
  CHECK(contains(refused.err, "few.npy is 2x9, and with M = 9, N = 140, K = 300 SA, KB x M, is 3x9"));
}
