// Loops whose trips depend on the tile or were unrolled by hand, and loops without any trip.
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// A is lower triangular: row m of tiles has products with the first m + Diagonal tiles only.
template <int Diagonal, bool Persistent>
struct triangular {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 128}, {"N", 64}}, .stages = 3, .consumers = 2, .persistent = Persistent};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    const auto trips = min(tiles<"K">(A), as<"K">(m) + Diagonal);
    for (auto k : sm.pipelined(trips)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

template <int Diagonal, bool Persistent>
void check_triangular() {
  check_program<triangular<Diagonal, Persistent>>(400, 70, 400, [](const auto& A, const auto& B, int i, int j) {
    double sum = 0;
    for (int k = 0; k < 400 && k / 128 < i / 128 + Diagonal; ++k) sum += A.number(i, k) * B.number(j, k);
    return sum;
  });
}

/// Unrolled by the programmer: Unroll products per trip, and a second loop for the rest.
template <int Unroll>
struct unrolled {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = Unroll + 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    const auto all = tiles<"K">(A);
    const auto whole = all / Unroll * Unroll;
    for (auto k : sm.pipelined(all / Unroll))
      for (int u = 0; u < Unroll; ++u)
        acc += sm.load(A, {m, Unroll * k + u}) * transpose(sm.load(B, {n, Unroll * k + u}));
    for (auto k : sm.pipelined(all % Unroll)) acc += sm.load(A, {m, whole + k}) * transpose(sm.load(B, {n, whole + k}));
    sm.store(C, {m, n}, acc);
  }
};

/// The last tile is multiplied behind the loop.
struct peeled {
  static constexpr auto operands = unrolled<1>::operands;
  static constexpr sectile::configuration how{.tile = unrolled<1>::how.tile, .stages = 3, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    const auto last = tiles<"K">(A) - 1;
    for (auto k : sm.pipelined(last)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc += sm.load(A, {m, last}) * transpose(sm.load(B, {n, last}));
    sm.store(C, {m, n}, acc);
  }
};

/// A loop that passes over its tiles twice: more trips than any operand has tiles.
struct twice : peeled {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    const auto all = tiles<"K">(A);
    for (auto k : sm.pipelined(2 * all)) acc += sm.load(A, {m, k % all}) * transpose(sm.load(B, {n, k % all}));
    sm.store(C, {m, n}, acc);
  }
};

}  // namespace

TEST_CASE("a triangular matrix: as many trips as the row of tiles has tiles") {
  if constexpr (exhaustively) check_triangular<1, false>();
}

TEST_CASE("a strictly triangular matrix: the first row of tiles has no trip and is zero") {
  if constexpr (exhaustively) {
    check_triangular<0, false>();
  }
}

TEST_CASE("a persistent kernel with tiles that have no trip") { check_triangular<0, true>(); }

TEST_CASE("a loop unrolled by three, and one for the rest") {
  check_matmul<unrolled<3>>(200, 100, 64 * 7);
  check_matmul<unrolled<3>>(200, 100, 64);  // the rest only
}

TEST_CASE("a loop unrolled by four, and one for the rest") {
  if constexpr (exhaustively) {
    check_matmul<unrolled<4>>(200, 100, 64 * 11);
  }
}

TEST_CASE("a product behind the loop, which may have no trip") {
  if constexpr (exhaustively) check_matmul<peeled>(200, 100, 300);
  if constexpr (exhaustively) check_matmul<peeled>(200, 100, 30);
}

TEST_CASE("a loop of more trips than there are tiles") {
  check_program<twice>(70, 40, 100, [](const auto& A, const auto& B, int i, int j) {
    double sum = 0;
    for (int k = 0; k < 100; ++k) sum += 2 * A.number(i, k) * B.number(j, k);
    return sum;
  });
}
