// Clusters: every CTA fetches a slice of what it shares and multicasts it.
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

template <int Rows, int Cols, int Consumers, bool Persistent>
constexpr configuration clustered{
    .stages = 3, .cluster = {Rows, Cols}, .consumers = Consumers, .persistent = Persistent};

/// Two rows of tiles of C share a matrix B: grouped heads, each of which is a number along L.
template <int ClusterRows>
struct grouped_rows {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(L,N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 3, .cluster = {ClusterRows, 1}, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {as<"L">(m / 2), n, k}));
    sm.store(C, {m, n}, acc);
  }
};

template <class Program>
void check_grouped_rows() {
  host_tensor<bf16> A({600, 130}), B({3, 72, 130}), C({600, 72});
  A.fill(1);
  B.fill(2);
  run_on_schedules<Program>(3, C, A.in(), B.in(), C.view());
  check_close(C, bf16_close, [&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < 130; ++k) sum += A.number(i, k) * B.number(i / 128 / 2, j, k);
    return sum;
  });
}

}  // namespace

TEST_CASE("two rows of CTAs share B") {
  if constexpr (exhaustively) check_matmul<matmul<128, 64, 64, clustered<2, 1, 2, true>>>(500, 130, 200);
}

TEST_CASE("four columns of CTAs share A") {
  if constexpr (exhaustively) check_matmul<matmul<128, 64, 64, clustered<1, 4, 2, false>>>(200, 500, 300);
}

TEST_CASE("three columns of CTAs share A: a slice need not be a power of two") {
  check_matmul<matmul<384, 64, 64, configuration{.stages = 2, .cluster = {1, 3}, .consumers = 2, .persistent = true}>>(
      400, 400, 200);
}

TEST_CASE("slices that begin inside the swizzle's pattern: 28 rows, 6, two rows") {
  check_matmul<matmul<64, 56, 64, clustered<2, 1, 1, false>>>(150, 130, 300);
  if constexpr (exhaustively) {
    check_matmul<matmul<64, 24, 64, clustered<4, 1, 1, false>>>(300, 50, 200);
    check_matmul<matmul<64, 16, 64, clustered<8, 1, 1, false>>>(600, 40, 200);
    check_matmul<matmul<64, 40, 32, clustered<2, 1, 1, false>>>(150, 90, 200);  // of 64 bytes
  }
}

TEST_CASE("two by two CTAs share both operands, and some of them are outside the matrix") {
  if constexpr (exhaustively) check_matmul<matmul<64, 64, 64, clustered<2, 2, 1, false>>>(150, 190, 300);
}

TEST_CASE("two by four CTAs are the largest portable cluster") {
  check_matmul<matmul<128, 64, 64, clustered<2, 4, 2, true>>>(300, 280, 72);
}

TEST_CASE("rows in pairs share a tile of B in a cluster of two") {
  if constexpr (exhaustively) check_grouped_rows<grouped_rows<2>>();
}

TEST_CASE("rows in pairs do not all share a tile of B in a cluster of four") { check_grouped_rows<grouped_rows<4>>(); }
