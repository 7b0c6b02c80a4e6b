// C = A * B^T with any tile and schedule: the program that most tests here vary.
#pragma once
#include "tests/programs/kit.hpp"

namespace sectile::test {

/// Tiles of M rows and N columns, K deep.
template <int M, int N, int K, configuration How, class Out = bf16>
struct matmul {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", Out>());
  static constexpr sectile::configuration how = How.with_tile({{"M", M}, {"K", K}, {"N", N}});

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

/// C = A * B^T of sparse A, one 64 x 64 tile at a time.
struct sparse_product {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

/// Runs a program that takes A (m x k), B (n x k) and C (m x n) and compares C with reference(A, B, i, j).
template <class Program, class Out = bf16, class Reference>
void check_program(int m, int n, int k, Reference reference, double relative = bf16_close) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  host_tensor<bf16> A({m, k}), B({n, k}, row_major, 2);
  host_tensor<Out> C({m, n}, row_major, 1);
  A.fill(1);
  B.fill(2);
  run_on_schedules<Program>(2, C, A.in(), B.in(), C.view());
  check_close(C, relative, [&](int i, int j) { return reference(A, B, i, j); });
}

/// The same for programs that compute A * B^T.
template <class Program, class Out = bf16>
void check_matmul(int m, int n, int k) {
  check_program<Program, Out>(m, n, k, dot, sizeof(Out) == 2 ? bf16_close : f32_close);
}

}  // namespace sectile::test
