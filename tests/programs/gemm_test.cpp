// The GEMM on the CPU model against float64: small shapes with every kind of edge, padded rows, outputs of NaN between
// guard bands.
//
// A tensor starts as NaN throughout, the gaps between its rows and the guard bands included: what is read past an edge
// or never written shows up in the result, what is written past an edge in the bytes around it.
#include <limits>
#include <random>
#include <sectile/kernels/gemm.hpp>
#include <vector>

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using kernels::gemm;
using test::host_tensor;

struct shape {
  int m, n, k;
  int pad = 0;  // pieces of 16 bytes between rows
};

/// One size at, below and above each boundary: 16-byte pieces, core matrices, tiles of M, N and K.
constexpr int sizes[] = {1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300};
constexpr int size_count = static_cast<int>(sizeof sizes / sizeof *sizes);

/// Runs the kernel and compares all elements with float64; `random` more runs, on random schedules, have to give the
/// same bits.
template <class Out>
void check_gemm(const shape& s, int random = 0) {
  CAPTURE(s.m);
  CAPTURE(s.n);
  CAPTURE(s.k);
  CAPTURE(s.pad);
  host_tensor<bf16> A({s.m, s.k}, row_major, s.pad), B({s.n, s.k}, row_major, 2 * s.pad);
  host_tensor<Out> C({s.m, s.n}, row_major, s.pad);
  A.fill(static_cast<std::uint64_t>(s.m));
  B.fill(static_cast<std::uint64_t>(1000 + s.n));
  test::run_on_schedules<gemm<bf16, bf16, Out>>(random, C, A.in(), B.in(), C.view());
  const test::numbers expected = test::product(A, B);
  test::check_close(C, sizeof(Out) == 2 ? test::bf16_close : test::f32_close,
                    [&](int i, int j) { return expected(i, j); });
}

/// Every size appears once as M, once as N and once as K. Exhaustively the other two are drawn.
std::vector<shape> edges(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto any = [&] { return sizes[random() % size_count]; };
  std::vector<shape> all;
  if (!test::exhaustively) {  // three of them at a time
    for (int i = 0; i < size_count; ++i)
      all.push_back(
          {sizes[i], sizes[(4 * i + 7) % size_count], sizes[(7 * i + 3) % size_count], static_cast<int>(random() % 3)});
    return all;
  }
  for (const int size : sizes) {
    const int pad = static_cast<int>(random() % 3);
    all.push_back({size, any(), any() % 130 + 1, pad});
    all.push_back({any() % 140 + 1, size, any() % 130 + 1, pad});
    all.push_back({any() % 140 + 1, any() % 140 + 1, size, pad});
  }
  return all;
}

TEST_CASE("bf16: every edge of M, N and K") {
  for (const shape& s : edges(1)) check_gemm<bf16>(s);
}
TEST_CASE("f32: every edge of M, N and K") {
  for (const shape& s : edges(2)) check_gemm<float>(s);
}

TEST_CASE("one element") {
  check_gemm<bf16>({1, 1, 1}, 1);
  check_gemm<float>({1, 1, 1}, 1);
}
TEST_CASE("several tiles and clusters, more trips than stages: the same bits on every schedule") {
  check_gemm<bf16>({300, 300, 400, 1}, 2);
  check_gemm<float>({140, 300, 200, 1}, 2);
}
TEST_CASE("a cluster with one CTA beyond the edge") {
  check_gemm<bf16>({128, 256, 65}, 2);
  check_gemm<float>({385, 9, 65}, 1);
}
TEST_CASE("ragged columns in each residue of 16 bytes") {
  for (int n = 257; n < 265; ++n) check_gemm<bf16>({65, n, 64, 1});
  for (int n = 257; n < 261; ++n) check_gemm<float>({65, n, 64, 1});
}

TEST_CASE("an infinity reaches its row and column, and nothing else") {
  host_tensor<bf16> A({130, 70}), B({260, 70}), C({130, 260});
  A.fill(1);
  B.fill(2);
  const_cast<bf16*>(A.in().data)[129 * A.stride[0] + 69] = bf16(std::numeric_limits<float>::infinity());
  run_on_model<gemm<bf16, bf16, bf16>>(A.in(), B.in(), C.view());
  int wrong = 0;
  C.for_each_number([&](double x, int i, int) { wrong += std::isfinite(x) != (i != 129); });
  CHECK(wrong == 0);
}

}  // namespace
