// Operands with batch modes before the matrix, of one rank or of several, and a scalar.
#include <sectile/kernels/batched_gemm.hpp>

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

template <configuration How>
struct batched_matmul : kernels::batched_gemm<bf16, bf16, float> {
  static constexpr sectile::configuration how = How.with_tile({{"M", 128}, {"K", 64}, {"N", 64}});
};

template <class Program>
void check_batched_matmul() {
  constexpr int k = 130;
  host_tensor<bf16> A({3, 140, k}, row_major, 1), B({3, 75, k}, row_major, 2);
  host_tensor<float> C({3, 140, 75}, row_major, 1);
  A.fill(1);
  B.fill(2);
  run_on_schedules<Program>(2, C, A.in(), B.in(), C.view());
  check_close(C, f32_close, [&](int g, int i, int j) {
    double sum = 0;
    for (int l = 0; l < k; ++l) sum += A.number(g, i, l) * B.number(g, j, l);
    return sum;
  });
}

/// C[g, h] = alpha * A[g, h] * B^T with one B for all.
struct scaled_with_shared_b {
  static constexpr auto operands = sectile::operands(input<"A(G,H,M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(G,H,M,N)", bf16>(), scalar<"alpha", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 3, .cluster = {2, 2}, .consumers = 2, .persistent = true};

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto alpha) {
    auto [g, h, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, h, m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {g, h, m, n}, acc * alpha);
  }
};

}  // namespace

TEST_CASE("a batch of products") {
  if constexpr (exhaustively) check_batched_matmul<batched_matmul<configuration{.stages = 3, .group = 2}>>();
}

TEST_CASE("a batch of products, persistent and clustered") {
  if constexpr (exhaustively)
    check_batched_matmul<
        batched_matmul<configuration{.stages = 3, .cluster = {2, 1}, .persistent = true, .group = 2}>>();
}

TEST_CASE("two batch modes, an operand without any, and a scalar") {
  constexpr int k = 130;
  host_tensor<bf16> A({2, 2, 140, k}, row_major, 1), B({72, k}, row_major, 2), C({2, 2, 140, 72}, row_major, 1);
  A.fill(1);
  B.fill(2);
  run_on_schedules<scaled_with_shared_b>(2, C, A.in(), B.in(), C.view(), 0.5f);
  check_close(C, bf16_close, [&](int g, int h, int i, int j) {
    double sum = 0;
    for (int l = 0; l < k; ++l) sum += A.number(g, h, i, l) * B.number(j, l);
    return 0.5 * sum;
  });
}

TEST_CASE("parts of one matrix, packed one behind the other, by a B stored either way") {
  constexpr int parts = 2, rows = 220, first = 70, height = 140, cols = 136, k = 72;
  host_tensor<bf16> A({parts, rows, k}, row_major, 1), C({parts, height, cols}, row_major, 3);
  A.fill(1);
  const auto check = [&]<storage_order Stored>() -> void {
    host_tensor<bf16> B({cols, k}, Stored, 2);
    B.fill(2);
    auto piece = A.in();  // rows first .. first + height of each part
    piece.data += first * piece.stride[1];
    piece.extent[1] = height;
    run_on_schedules<kernels::gemm_of_parts<bf16, bf16, bf16, Stored>>(1, C, piece, B.in(), C.view());
    check_close(C, bf16_close, [&](int l, int i, int j) {
      double sum = 0;
      for (int x = 0; x < k; ++x) sum += A.number(l, first + i, x) * B.number(j, x);
      return sum;
    });
  };
  if constexpr (exhaustively) check.operator()<row_major>();
  check.operator()<col_major>();
}
