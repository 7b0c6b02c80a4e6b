// Tiles of 32-bit elements in registers: they come in the order of sums, and are computed with as they are.
#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

constexpr configuration small{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3};
constexpr configuration persistent{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 2, .persistent = true};
constexpr configuration cluster{
    .tile = {{"M", 64}, {"N", 96}, {"K", 64}}, .stages = 3, .cluster = {2, 1}, .consumers = 1};
constexpr configuration swapped{.tile = {{"M", 40}, {"N", 128}, {"K", 64}}, .stages = 3, .swap = true};

/// C = alpha A B^T + beta R, where R may be C itself.
template <configuration How, storage_order Order = row_major>
struct gemm_of_blas {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"R(M,N)", float>(Order),
                        output<"C(M,N)", float>(), scalar<"alpha", float>(), scalar<"beta", float>());
  static constexpr sectile::configuration how = How;

  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C, auto alpha, auto beta) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc *= alpha;
    sm.store(C, {m, n}, acc + map(sm.load(R, {m, n}), [=](float r) { return beta * r; }));
  }
};

template <configuration How, storage_order Order = row_major>
void check_residual() {
  for (const auto& [m, n, k] : {std::array{200, 140, 130}, {1, 4, 8}}) {
    CAPTURE(m);
    host_tensor<bf16> A({m, k}), B({n, k});
    host_tensor<float> R({m, n}, Order), C({m, n});
    A.fill(1), B.fill(2), R.fill(3);
    run_on_schedules<gemm_of_blas<How, Order>>(1, C, A.in(), B.in(), R.in(), C.view(), 0.5f, -2.0f);
    check_close(C, f32_close, [&](int i, int j) { return 0.5 * dot(A, B, i, j) - 2 * R.number(i, j); });
  }
}

/// C = A B^T + S in s32, as f32.
template <configuration How>
struct with_integers {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", s8>(), input<"B(N,K)", s8>(),
                                                     input<"S(M,N)", s32>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how = How;

  static constexpr void body(auto& sm, auto A, auto B, auto S, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<s32>());
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto sums = cast<float>(acc);
    sm.store(C, {m, n}, sums + cast<float>(in_registers(sm.load(S, {m, n}))));
  }
};

/// C = S B^T, where S is the sum of A's matrices of f32, rounded to bf16.
struct sum_of_wide_tiles {
  static constexpr auto operands =
      sectile::operands(input<"A(T,M,P)", float>(), input<"B(N,P)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 64}, {"P", 64}}, .stages = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = in_registers(sm.load(A, {0, m, 0}));
    for (auto t : sm.pipelined(tiles<"T">(A) - 1)) sum += sm.load(A, {t + 1, m, 0});
    auto acc = sm.accumulator(cast<bf16>(sum) * transpose(sm.load(B, {n, 0})));
    sm.store(C, {m, n}, acc);
  }
};

}  // namespace

TEST_CASE("a tile of f32 is added to sums") {
  check_residual<small>();
  if constexpr (exhaustively) check_residual<cluster>();
  if constexpr (exhaustively) check_residual<persistent>();
}
TEST_CASE("a column-major tile of f32 is added to sums") {
  if constexpr (exhaustively) check_residual<small, col_major>();
}
TEST_CASE("a tile of f32 is added to sums that are held transposed") {
  check_residual<swapped>();
  if constexpr (exhaustively) check_residual<swapped, col_major>();
}

TEST_CASE("a tile of f32 is read where the sums are stored") {
  constexpr int m = 300, n = 140, k = 130;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> R({m, n}), C({m, n});
  A.fill(1), B.fill(2), R.fill(3), C.fill(3);
  run_on_model<gemm_of_blas<small>>(
      A.in(), B.in(), tensor_view<const float>{C.view().data, 2, {m, n}, {C.stride[0], 1}}, C.view(), 1.0f, 3.0f);
  check_close(C, f32_close, [&](int i, int j) { return dot(A, B, i, j) + 3 * R.number(i, j); });
}

TEST_CASE("a tile of s32 becomes f32 in registers") {
  constexpr int m = 140, n = 72, k = 96;
  host_tensor<s8> A({m, k}), B({n, k});
  host_tensor<s32> S({m, n});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2), S.fill(3);
  run_on_schedules<with_integers<small.with_tile({{"M", 128}, {"N", 64}, {"K", 128}})>>(1, C, A.in(), B.in(), S.in(),
                                                                                        C.view());
  check_close(C, f32_close, [&](int i, int j) { return S.number(i, j) + sum_of_products(A.row(i, k), B.row(j, k)); });
}

TEST_CASE("tiles of f32 are summed up in a loop") {
  constexpr int t = 5, m = 200, n = 90, p = 64;
  host_tensor<float> A({t, m, p});
  host_tensor<bf16> B({n, p}), C({m, n});
  A.fill(1), B.fill(2);
  if constexpr (exhaustively) {
    run_on_schedules<sum_of_wide_tiles>(1, C, A.in(), B.in(), C.view());
    numbers of_tiles{m, p, std::vector<double>(static_cast<std::size_t>(m * p))};
    A.for_each_number([&](double x, int, int i, int l) { of_tiles(i, l) += x; });
    check_close(C, rounded_twice, [&](int i, int j) {
      double sum = 0;
      for (int l = 0; l < p; ++l) sum += of_tiles(i, l) * B.number(j, l);
      return sum;
    });
  }
}
