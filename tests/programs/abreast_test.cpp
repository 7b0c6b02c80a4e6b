// Consumers abreast: each makes a tile at the same time, one below the other, and what these read alike is loaded once.
#include "tests/programs/residual.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

constexpr configuration two{.stages = 3, .consumers = 2, .abreast = true};
constexpr configuration three{.stages = 4, .cluster = {2, 1}, .consumers = 3, .abreast = true, .persistent = true};
constexpr configuration swapped{
    .stages = 3, .cluster = {1, 2}, .consumers = 2, .abreast = true, .persistent = true, .swap = true};
constexpr configuration in_parts{.stages = 4, .consumers = 2, .abreast = true, .split = 2};

using below = matmul<64, 88, 64, two>;
using in_clusters = matmul<64, 64, 64, three>;
using of_columns = matmul<32, 64, 64, swapped>;
using split = matmul<64, 64, 64, in_parts>;
using residual = small_residual<two>;

// Each consumer has a tile of A, in a lane of its own, and all of them one of B.
static_assert(plan_of<below>.ring[0].lanes == 2 && plan_of<below>.ring[0].stages == 6);
static_assert(plan_of<below>.ring[0].empty_arrivals == 1 && plan_of<below>.ring[0].transaction_bytes == 64 * 64 * 2);
static_assert(plan_of<below>.ring[1].lanes == 1 && plan_of<below>.ring[1].stages == 3);
static_assert(plan_of<below>.ring[1].empty_arrivals == 2);
static_assert(plan_of<in_clusters>.ring[1].empty_arrivals == 3 * 2 && plan_of<in_clusters>.ring[0].lanes == 3);
static_assert(verified<below> && verified<in_clusters> && verified<of_columns> && verified<split>);
static_assert(verified<residual>);
// The order of a sum does not hang on who makes it.
static_assert(same_sums<below, matmul<128, 88, 64, configuration{.stages = 2, .consumers = 2}>>);

}  // namespace

TEST_CASE("of whole and of ragged problems, and of fewer tiles than consumers") {
  check_matmul<below>(300, 270, 130);
  check_matmul<below>(64, 88, 64);
  check_matmul<below>(500, 90, 1);
  check_matmul<below>(129, 88, 330);
}
TEST_CASE("three consumers in clusters, tiles of the transpose, and parts of sums") {
  check_matmul<in_clusters>(500, 130, 72);
  check_matmul<in_clusters>(64, 320, 320);
  check_matmul<of_columns>(100, 300, 130);
  check_matmul<split>(200, 70, 450);
}
TEST_CASE("on schedules that are looked for") {
  host_tensor<bf16> A({192, 128}), B({88, 128}), C({192, 88});
  A.fill(1), B.fill(2);
  run_on_model_with<below>({.schedule = schedule_mode::systematic, .max_schedules = 20}, A.in(), B.in(), C.view());
  check_close(C, bf16_close, [&](int i, int j) { return dot(A, B, i, j); });
}
TEST_CASE("what is loaded behind the loop has lanes as well") { check_small_residual<residual>(); }

/// Rows' largest numbers and columns' sums, beside the product: vectors that each tile has a part of.
struct with_vectors {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"scale(M)", float>(),
                        output<"C(M,N)", float>(), output<"sums(N)", float>(), output<"largest(M)", float>());
  static constexpr configuration how = two.with_tile({{"M", 64}, {"N", 64}, {"K", 64}});
  static constexpr void body(auto& sm, auto A, auto B, auto scale, auto C, auto sums, auto largest) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc *= sm.load(scale, {m});
    sm.combine(sums, {n}, acc, reduction::add);
    mask(
        acc, {m, n}, (n + 1) * extent<"N">(B) > size<"N">(B), [end = size<"N">(B)](int, int j) { return j < end; },
        -infinity);
    sm.combine(largest, {m}, acc, reduction::max);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<with_vectors>);
TEST_CASE("vectors of rows and of columns") {
  const int m = 200, n = 100, k = 90;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  std::vector<float> scale(m), sums(n), largest(m);
  for (int i = 0; i < m; ++i) scale[static_cast<std::size_t>(i)] = 0.25f * static_cast<float>(i % 7);
  std::vector<std::uint64_t> memory(1 << 16);
  run_on_model<with_vectors>(A.in(), B.in(), tensor(static_cast<const float*>(scale.data()), m), C.view(),
                             tensor(sums.data(), n), tensor(largest.data(), m),
                             workspace(memory.data(), memory.size() * sizeof(std::uint64_t)));
  check_close(C, f32_close, [&](int i, int j) { return scale[static_cast<std::size_t>(i)] * dot(A, B, i, j); });
  for (int j = 0; j < n; ++j) {
    double right = 0;
    for (int i = 0; i < m; ++i) right += scale[static_cast<std::size_t>(i)] * dot(A, B, i, j);
    CHECK(sums[static_cast<std::size_t>(j)] == doctest::Approx(right).epsilon(1e-4));
  }
  for (int i = 0; i < m; ++i) {
    double right = -1e30;
    for (int j = 0; j < n; ++j) right = std::max(right, scale[static_cast<std::size_t>(i)] * dot(A, B, i, j));
    CHECK(largest[static_cast<std::size_t>(i)] == doctest::Approx(right).epsilon(1e-4));
  }
}
