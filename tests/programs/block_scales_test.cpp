// Products whose sums are scaled by blocks of K, and what makes their scales, on the model, against float64.
#include <sectile/kernels/block_scaled_gemm.hpp>
#include <sectile/kernels/rows.hpp>

#include "tests/programs/host_vector.hpp"

namespace {

using namespace sectile;
using namespace sectile::kernels;
using namespace sectile::test;

constexpr int parts(int size) { return (size + scaled_block - 1) / scaled_block; }

/// Scales as a product takes them: as they are, or as exponents of small powers of two.
template <class Scale>
struct scales : host_vector<Scale> {
  using host_vector<Scale>::host_vector;
  double of(int i, int batch) const { return (*this)(i, batch); }
};
template <>
struct scales<u8> {
  std::vector<u8> memory;
  int size, rows;
  scales(int n, int, std::uint64_t seed, int batches) : size(n), rows(batches) {
    for (int i = 0; i < n * batches; ++i)
      memory.push_back(static_cast<u8>(120 + (static_cast<int>(seed) + 7 * i) % 15));
  }
  double of(int i, int batch) const {
    return std::exp2(static_cast<double>(memory[static_cast<std::size_t>(batch * size + i)]) - 127);
  }
  tensor_view<const u8> batches() const { return tensor(memory.data(), rows, size); }
};

template <class K, scaled_part OfB, class Scale>
void check_scaled(int m, int n, int k) {
  CAPTURE(m);
  CAPTURE(k);
  constexpr bool squares = OfB == scaled_part::square;
  host_tensor<e4m3> A({m, k}), B({n, k});
  host_tensor<bf16> C({m, n});
  A.fill(1), B.fill(2);
  const scales<Scale> SA(m, 1, 3, parts(k)), SB(squares ? parts(k) : n, 3, 4, squares ? parts(n) : parts(k));
  run_on_schedules<K>(1, C, A.in(), B.in(), SA.batches(), SB.batches(), C.view());
  // 13 bits of each addend reach a sum of 128 products; then C is rounded.
  check_close(C, bf16_close, [&](int i, int j) {
    const std::vector<double> a = A.row(i, k), b = B.row(j, k);
    double sum = 0;
    for (int l = 0; l < parts(k); ++l) {
      double part = 0;
      for (int x = l * scaled_block; x < std::min((l + 1) * scaled_block, k); ++x)
        part += a[static_cast<std::size_t>(x)] * b[static_cast<std::size_t>(x)];
      sum += part * SA.of(i, l) * (squares ? SB.of(l, j / scaled_block) : SB.of(j, l));
    }
    return sum;
  });
}
template <scaled_part OfB, class Scale, int Columns = scaled_block>
void check_scaled_product(int m, int n, int k) {
  check_scaled<block_scaled_gemm<e4m3, bf16, OfB, Scale, Columns>, OfB, Scale>(m, n, k);
}

/// Consumers with two blocks of rows, whose products have registers for one, along either mode.
template <bool Swap = false>
struct in_two_parts : block_scaled_gemm<e4m3, bf16> {
  static constexpr int rows = Swap ? 64 : 256, columns = Swap ? 256 : 128;
  static constexpr configuration how{.tile = {{"M", rows}, {"N", columns}, {"K", scaled_block}, {"KB", 1}},
                                     .stages = 3,
                                     .persistent = true,
                                     .swap = Swap};
};
static_assert(verified<in_two_parts<>> && verified<in_two_parts<true>>);
static_assert(plan_of<in_two_parts<>>.products.count == 2);
static_assert(plan_of<in_two_parts<>>.products.at[1].first_row(1) == 192);

constexpr mode_id counted_by(const plan& p, int o, int d) { return tiles_counted(p, o, d).along; }
constexpr const plan& of_squares = plan_of<block_scaled_gemm<e4m3, bf16>>;
static_assert(counted_by(of_squares, 2, 0) == mode_named("K") && counted_by(of_squares, 2, 1) == mode_id::any);
static_assert(counted_by(of_squares, 3, 0) == mode_id::any && counted_by(of_squares, 3, 1) == mode_named("K"));
static_assert(counted_by(plan_of<quantized_blocks<float, e4m3>>, 2, 0) == mode_named("K"));

/// Two tiles of K have one scale of rows, and those of columns stay where they are: neither counts tiles.
struct scaled_in_pairs {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), vector_input<"SA(KB,M)", float>(with_tiles),
                        vector_input<"SB(X,N)", float>(with_tiles), output<"C(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto SA, auto SB, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum += part * sm.load(SA, {as<"KB">(k / 2), m}) * sm.load(SB, {0, n});
    }
    sm.store(C, {m, n}, sum);
  }
};
static_assert(plan_of<scaled_in_pairs>.refusal.holds());
static_assert(counted_by(plan_of<scaled_in_pairs>, 2, 0) == mode_id::any);
static_assert(counted_by(plan_of<scaled_in_pairs>, 3, 0) == mode_id::any);

/// What a launch says of scales of so many blocks and columns of blocks, for K = 384 and N = 200.
void launch_with_scales(int of_rows, int blocks, int columns) {
  constexpr int m = 64, n = 200, k = 384;
  const host_tensor<e4m3> A({m, k}), B({n, k});
  host_tensor<bf16> C({m, n});
  const std::vector<float> numbers(4096, 1);
  run_on_model<block_scaled_gemm<e4m3, bf16>>(A.in(), B.in(), tensor(numbers.data(), of_rows, m),
                                              tensor(numbers.data(), columns, blocks), C.view());
}

/// With tiles of half a block of K.
struct in_half_blocks : block_scaled_gemm<e4m3, bf16> {
  static constexpr configuration how =
      block_scaled_gemm<e4m3, bf16>::how.with_tile({{"M", 192}, {"N", 128}, {"K", 64}, {"KB", 1}});
};
void launch_in_half_blocks() {
  const auto at = [](std::uintptr_t place, std::int64_t rows, std::int64_t cols) {
    return tensor_facts{
        .data = reinterpret_cast<const void*>(place << 20), .rank = 2, .extent = {rows, cols}, .stride = {cols, 1}};
  };
  const tensor_facts tensors[max_operands]{at(1, 64, 384), at(2, 200, 384), at(3, 3, 64), at(4, 2, 3), at(5, 64, 200)};
  check_launch(plan_of<in_half_blocks>, tensors);
}

/// The largest number of e4m3.
constexpr double largest = 448;

/// X, some of whose rows are zeros or hold numbers that no reciprocal reaches.
template <class T>
void check_quantised(int m, int k) {
  CAPTURE(m);
  CAPTURE(k);
  host_tensor<T> X({m, k});
  X.fill(1);
  for (int j = 0; j < k; ++j) X.view().data[1 % m * X.stride[0] + j] = T(0.0F);
  for (int j = 0; j < k; ++j) X.view().data[2 % m * X.stride[0] + j] = T(0x1p-124F * static_cast<float>(j % 3));
  host_tensor<e4m3> Q({m, k});
  std::vector<float> S(static_cast<std::size_t>(parts(k) * m));
  run_on_schedules<quantized_blocks<T, e4m3>>(1, Q, X.in(), Q.view(), tensor(S.data(), parts(k), m));
  int wrong = 0;
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < parts(k); ++l) {
      double most = 0;
      const int end = std::min((l + 1) * scaled_block, k);
      for (int j = l * scaled_block; j < end; ++j) most = std::max(most, std::abs(X.number(i, j)));
      const double scale = S[static_cast<std::size_t>(l * m + i)];
      wrong += scale != std::max(static_cast<float>(most) / static_cast<float>(largest), 0x1p-126F);
      for (int j = l * scaled_block; j < end; ++j) {
        const double x = X.number(i, j), q = Q.number(i, j);
        // Half a unit of e4m3, which is 2^-9 at least, and what the scale's reciprocal loses.
        wrong += std::abs(q * scale - x) > std::max(std::abs(x) * 0x1.001p-4, scale * 0x1.001p-10);
        wrong += std::abs(x) == most && most > largest * 0x1p-125 && std::abs(q) != largest;
      }
    }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("scales of rows and squares") {
  check_scaled_product<scaled_part::square, float>(130, 200, 384);
  check_scaled_product<scaled_part::square, float>(1, 8, 128);
  check_scaled_product<scaled_part::square, float>(65, 264, 200);
}
TEST_CASE("scales of squares in tiles that these do not divide") {
  check_scaled_product<scaled_part::square, float, 192>(130, 600, 272);
  check_scaled_product<scaled_part::square, float, 160>(70, 696, 200);
  check_scaled_product<scaled_part::square, float, 96>(65, 392, 144);
}
TEST_CASE("products in two parts") {
  check_scaled<in_two_parts<>, scaled_part::square, float>(300, 200, 272);
  check_scaled<in_two_parts<true>, scaled_part::square, float>(70, 328, 272);
}
TEST_CASE("scales of rows and squares that are powers of two") {
  if constexpr (exhaustively) check_scaled_product<scaled_part::square, u8>(70, 136, 272);
}
TEST_CASE("an exponent of 0, 2^-127, is a scale of 0") {
  constexpr int m = 64, n = 8, k = 128;
  host_tensor<e4m3> A({m, k}), B({n, k});
  host_tensor<bf16> C({m, n});
  A.fill(1), B.fill(2);
  std::vector<u8> of_rows(m, u8{127}), of_square(1, u8{254});
  of_rows[3] = 0;
  run_on_model<block_scaled_gemm<e4m3, bf16, scaled_part::square, u8>>(A.in(), B.in(), tensor(of_rows.data(), 1, m),
                                                                       tensor(of_square.data(), 1, 1), C.view());
  for (int j = 0; j < n; ++j) CHECK(C.number(3, j) == 0);
  CHECK(C.number(4, 0) != 0);
}
TEST_CASE("scales of rows of both") {
  if constexpr (exhaustively) check_scaled_product<scaled_part::row, float>(70, 136, 272);
}
TEST_CASE("scales of rows of both, in wide tiles") {
  if constexpr (exhaustively) check_scaled_product<scaled_part::row, float, 192>(130, 200, 144);
}
TEST_CASE("scales of rows of both that are powers of two") { check_scaled_product<scaled_part::row, u8>(70, 136, 272); }
TEST_CASE("scales of another granularity are not launched") {
  CHECK_THROWS_WITH_AS(launch_with_scales(2, 2, 2),
                       "operand SA: KB = 2 counts tiles along K, but K = 384 takes 3 tiles of 128", launch_error);
  CHECK_THROWS_WITH_AS(launch_with_scales(3, 3, 4),
                       "operand SB: N/128 = 4, but operand B has N = 200, which are 2 blocks of 128", launch_error);
  CHECK_THROWS_WITH_AS(launch_in_half_blocks(),
                       "operand SA: KB = 3 counts tiles along K, but K = 384 takes 6 tiles of 64", launch_error);
  CHECK_THROWS_WITH_AS(launch_with_scales(3, 2, 2), "operand SB: KB = 2, but operand SA has KB = 3", launch_error);
}
TEST_CASE("blocks of rows are quantised with their largest magnitude") {
  check_quantised<bf16>(70, 200);
  check_quantised<bf16>(1, 128);
  if constexpr (exhaustively) check_quantised<float>(65, 272);
}
