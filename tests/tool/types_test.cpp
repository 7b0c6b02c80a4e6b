// `sectile run` on files of every type: what is exact is exact, and what does not fit is refused.
#include <algorithm>
#include <cstring>

#include "tests/tool/cli.hpp"

namespace {

using namespace cli;

/// C = A B^T of small whole numbers, which every type and every sum here holds exactly.
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, std::size_t m, std::size_t n,
                           std::size_t k) {
  std::vector<float> c(m * n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t l = 0; l < k; ++l) c[i * n + j] += a[i * k + l] * b[j * k + l];
  return c;
}

}  // namespace

TEST_CASE("files are multiplied by kernels of every type and storage order, exactly") {
  const scratch_folder folder;
  constexpr std::int64_t m = 37, n = 53, k = 24;
  const std::vector<float> a = pattern(m * k, 7), b = pattern(n * k, 5);
  folder.write("a.npy", npy_type::f4, {m, k}, a);
  folder.write("b.npy", npy_type::f4, {n, k}, b);
  const std::vector<float> expected = product(a, b, m, n, k);
  struct kind {
    const char* kernel;
    npy_type out;
  };
  for (const kind& what :
       {kind{"gemm_bf16_nn", npy_type::bf16}, kind{"gemm_bf16_nt", npy_type::bf16},
        kind{"gemm_bf16_tt", npy_type::bf16}, kind{"gemm_bf16_blas", npy_type::bf16}, kind{"gemm_f16", npy_type::f2},
        kind{"gemm_f16_f16", npy_type::f2}, kind{"gemm_tf32", npy_type::f4}, kind{"gemm_e4m3_e5m2", npy_type::bf16},
        kind{"gemm_s8", npy_type::i4}}) {
    CAPTURE(what.kernel);
    const outcome run =
        sectile_in(folder, std::string("run ") + what.kernel + " --on model --a a.npy --b b.npy --out c.npy");
    CHECK_MESSAGE(run.status == 0, run.err);
    CHECK(sectile::tool::read_npy(folder.path / "c.npy").type == what.out);
    CHECK(folder.numbers("c.npy") == expected);
  }
}

namespace {

/// A sum of so many products that 2^31 is passed on the way up, and come back from: a clamped sum is less than a
/// wrapped one by what was cut.
constexpr std::int64_t terms_of_sum = 150 * 1024, terms_up = 140 * 1024;

std::int32_t sum_of_integers(const std::string& kernel) {
  const scratch_folder folder;
  std::vector<float> a(terms_of_sum, 127), b(terms_of_sum, 127);
  std::fill(b.begin() + terms_up, b.end(), -128.0F);
  folder.write("a.npy", npy_type::i1, {1, terms_of_sum}, a);
  folder.write("b.npy", npy_type::i1, {1, terms_of_sum}, b);
  const outcome run =
      sectile_in(folder, "run " + kernel + " --on model --no-check-hazards --a a.npy --b b.npy --out c.npy");
  CHECK_MESSAGE(run.out.ends_with("VERIFIED\n"), run.out);
  CHECK(contains(run.out, "error:    none, all 1 elements are exact"));
  const npy_array c = sectile::tool::read_npy(folder.path / "c.npy");
  std::int32_t x;
  REQUIRE(c.data.size() == sizeof x);
  std::memcpy(&x, c.data.data(), sizeof x);
  return x;
}

}  // namespace

TEST_CASE("integers are compared exactly, and saturation happens on the way") {
  CHECK(sum_of_integers("gemm_s8_saturating") == 0x7FFFFFFF - 127 * 128 * (terms_of_sum - terms_up));
}

TEST_CASE("without saturation integers wrap, and are exact" * doctest::test_suite("exhaustive")) {
  CHECK(sum_of_integers("gemm_s8") ==
        static_cast<std::int32_t>(127 * 127 * terms_up - 127 * 128 * (terms_of_sum - terms_up)));
}

TEST_CASE("random files of a kernel's own type go in as they are") {
  const scratch_folder folder;
  struct kind {
    const char *kernel, *a, *b, *saved;
  };
  for (const kind& what : {kind{"gemm_f16", "f16", "f16", "'<f2'"}, kind{"gemm_tf32", "tf32", "tf32", "'<f4'"},
                           kind{"gemm_e5m2_e4m3", "e5m2", "e4m3", "'|u1'"}, kind{"gemm_u8_s8", "u8", "s8", "'|u1'"},
                           kind{"gemm_b1", "b1", "b1", "'|u1'"}}) {
    CAPTURE(what.kernel);
    const outcome a = sectile_in(folder, std::string("random --shape 20x64 --seed 1 --out a.npy --type ") + what.a);
    CHECK(contains(a.out, what.saved));
    CHECK(sectile_in(folder, std::string("random --shape 30x64 --seed 2 --out b.npy --type ") + what.b).status == 0);
    const outcome files =
        sectile_in(folder, std::string("run ") + what.kernel + " --on model --a a.npy --b b.npy --out c.npy");
    CHECK_MESSAGE(files.status == 0, files.err);
    CHECK(sectile_in(folder, std::string("run ") + what.kernel + " --on model --shape 20x30x64 --seed 1 --out d.npy")
              .status == 0);
    CHECK(folder.read("c.npy") == folder.read("d.npy"));
  }
  check_refusal(folder, "random --shape 2x12 --type b1 --out a.npy", "a row of 12 bits is no whole number of bytes");
  check_refusal(folder, "random --shape 2x2 --type f64 --out a.npy", "f64");
}

TEST_CASE("a matrix that is not sparse is refused, and pruned if asked") {
  const scratch_folder folder;
  std::vector<float> a(4 * 8, 0.0F);
  a[1] = 1, a[3] = -2, a[20] = 3, a[21] = 4, a[23] = 5;  // row 2, columns 4 to 7 hold three
  folder.write("a.npy", npy_type::f4, {4, 8}, a);
  folder.write("b.npy", npy_type::f4, {3, 8}, pattern(24, 5));
  const std::string run = "run sparse_gemm_f16 --on model --a a.npy --b b.npy --out c.npy";
  check_refusal(
      folder, run,
      "a.npy: the matrix is not 2:4 sparse: row 2, columns 4 to 7 hold 3 non-zero values (3, 4, 0, 5), at most 2 "
      "may be; --prune keeps the largest of each group");
  const outcome pruned = sectile_in(folder, run + " --prune");
  CHECK(pruned.status == 0);
  CHECK(contains(pruned.out, "of every four neighbours along a row the two largest in magnitude are kept"));
  a[20] = 0;
  CHECK(folder.numbers("c.npy") == product(a, pattern(24, 5), 4, 3, 8));
  folder.write("a.npy", npy_type::f4, {4, 8}, a);
  CHECK(sectile_in(folder, run).status == 0);
  check_refusal(folder, "run sparse_gemm_tf32 --on model --a b.npy --b b.npy",
                "the matrix is not 1:2 sparse: row 0, columns 0 to 1");
  check_refusal(folder, "run sparse_gemm_f16 --shape 8x8x6", "K = 6 is not a multiple of 4");
  check_refusal(folder, "run sparse_gemm_f16 --shape 8x8x8 --prune", "--prune: random operands are pruned anyway");
  check_refusal(folder, "run gemm_f16 --a a.npy --b b.npy --prune", "--prune: gemm_f16 has no sparse operand");
}

TEST_CASE("sizes and numbers that a type does not take are refused") {
  const scratch_folder folder;
  folder.write("a.npy", npy_type::f4, {1, 2}, {1.5F, 500});
  check_refusal(folder, "run gemm_s8 --a a.npy --b a.npy", "a.npy: element (0, 0) is 1.5; s8 numbers are whole");
  check_refusal(folder, "run gemm_e4m3 --a a.npy --b a.npy", "a.npy: element (0, 1) is 500; e4m3 numbers go up to 448");
  check_refusal(folder, "run gemm_b1 --a a.npy --b a.npy", "a.npy: its type is '<f4'; b1 is read from '|u1'");
  const outcome odd = sectile_in(folder, "run gemm_b1 --on model --shape 8x8x7");
  CHECK(odd.status == 2);
  CHECK(contains(odd.err, "K = 7 elements of b1 do not fill whole bytes"));
}
