// Loops whose numbers of trips have nothing to do with each other, and accumulators that no product reaches.
#include "tests/left_out.hpp"
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// A and B are upper triangular, and so is C = A * B: tile (m, n) has products with the tiles m .. n of K only.
struct upper_times_upper {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(K,N)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 128}, {"N", 128}}, .stages = 3, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    const auto first = as<"K">(m), trips = max(as<"K">(n) - first + 1, 0);
    for (auto k : sm.pipelined(trips)) acc += sm.load(A, {m, first + k}) * sm.load(B, {first + k, n});
    sm.store(C, {m, n}, acc);
  }
};

/// A * B^T over all tiles of K but three, of which there may be fewer than none.
template <configuration How>
struct all_but_three {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = How.with_tile({{"M", 128}, {"K", 64}, {"N", 64}});

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(test::all_but(3, tiles<"K">(A))))
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
template <configuration How>
void check_all_but_three() {
  for (const int k : {64, 192, 320}) {
    CAPTURE(k);
    host_tensor<bf16> A({140, k}), B({72, k}), C({140, 72});
    A.fill(1);
    B.fill(2);
    run_on_schedules<all_but_three<How>>(1, C, A.in(), B.in(), C.view());
    check_close(C, bf16_close,
                [&](int i, int j) { return k > 192 ? sum_of_products(A.row(i, k - 192), B.row(j, k)) : 0; });
  }
}

enum class sum { into_one, of_two };

/// A * B^T + D * E^T over the first tiles of K and of L: all but the last.
template <sum Form, configuration How>
struct two_sums {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"D(M,L)", bf16>(),
                        input<"E(N,L)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = How.with_tile({{"M", 128}, {"K", 64}, {"N", 64}, {"L", 64}});

  static constexpr void body(auto& sm, auto A, auto B, auto D, auto E, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto x = sm.accumulator(C);
    if constexpr (Form == sum::into_one) {
      for (auto k : sm.pipelined(test::all_but(1, tiles<"K">(A))))
        x += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      for (auto l : sm.pipelined(test::all_but(1, tiles<"L">(D))))
        x += sm.load(D, {m, l}) * transpose(sm.load(E, {n, l}));
      sm.store(C, {m, n}, x);
    } else {
      auto y = sm.accumulator(C);
      for (auto k : sm.pipelined(test::all_but(1, tiles<"K">(A))))
        x += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      for (auto l : sm.pipelined(test::all_but(1, tiles<"L">(D))))
        y += sm.load(D, {m, l}) * transpose(sm.load(E, {n, l}));
      sm.store(C, {m, n}, x + y);
    }
  }
};

template <class Program>
void check_two_sums(int k_tiles, int l_tiles) {
  CAPTURE(k_tiles);
  CAPTURE(l_tiles);
  const int m = 140, n = 72, k = 64 * k_tiles, l = 64 * l_tiles;
  host_tensor<bf16> A({m, k}), B({n, k}), D({m, l}), E({n, l}), C({m, n});
  A.fill(1);
  B.fill(2);
  D.fill(3);
  E.fill(4);
  run_on_schedules<Program>(1, C, A.in(), B.in(), D.in(), E.in(), C.view());
  check_close(C, bf16_close, [&](int i, int j) {
    return sum_of_products(A.row(i, k - 64), B.row(j, k)) + sum_of_products(D.row(i, l - 64), E.row(j, l));
  });
}

template <class Program>
void check_all_trip_counts() {
  for (int k_tiles = 1; k_tiles <= 4; ++k_tiles)
    for (int l_tiles = 1; l_tiles <= 4; ++l_tiles)
      if (exhaustively || (k_tiles == 3 && l_tiles == 4) ||
          (std::min(k_tiles, l_tiles) == 1 && std::max(k_tiles, l_tiles) != 3))
        check_two_sums<Program>(k_tiles, l_tiles);
}

}  // namespace

TEST_CASE("tiles below the diagonal have no product: they are zero") {
  host_tensor<bf16> A({400, 400}), B({400, 400}), C({400, 400});
  A.fill(1);
  B.fill(2);
  if constexpr (exhaustively) {
    run_on_schedules<upper_times_upper>(1, C, A.in(), B.in(), C.view());
    check_close(C, bf16_close, [&](int i, int j) {
      double total = 0;
      for (int k = i / 128 * 128; k < std::min(400, (j / 128 + 1) * 128); ++k) total += A.number(i, k) * B.number(k, j);
      return total;
    });
  }
}

TEST_CASE("two loops into one accumulator, each with any number of trips") {
  if constexpr (exhaustively) check_all_trip_counts<two_sums<sum::into_one, configuration{.stages = 3}>>();
}

TEST_CASE("two loops into two accumulators, each with any number of trips") {
  if constexpr (exhaustively) {
    check_all_trip_counts<two_sums<sum::of_two, configuration{.stages = 3}>>();
  }
}

TEST_CASE("two loops into two accumulators of a persistent kernel in a cluster") {
  check_all_trip_counts<two_sums<sum::of_two, configuration{.stages = 3, .cluster = {2, 1}, .persistent = true}>>();
}

TEST_CASE("a loop that is asked for fewer trips than none makes none") {
  check_all_but_three<configuration{.stages = 3}>();
  check_all_but_three<configuration{.stages = 3, .cluster = {2, 1}, .persistent = true}>();
  check_all_but_three<configuration{.stages = 3, .split = 3}>();
}
