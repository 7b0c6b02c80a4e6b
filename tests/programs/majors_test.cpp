// Every way in which two operands can lie in memory: row- or column-major, taken as they are or transposed. What is
// contiguous, and so which operand is K-major, follows.
#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

enum class taken { as_it_is, transposed };

/// C = op(A) * op(B), op as `TakeA` and `TakeB` say.
template <storage_order OrderA, taken TakeA, storage_order OrderB, taken TakeB, int N = 64, int ClusterRows = 1,
          int ClusterCols = 1>
struct product_of {
  static constexpr bool a_turned = TakeA == taken::transposed, b_turned = TakeB == taken::transposed;
  static constexpr auto left() {
    if constexpr (a_turned)
      return input<"A(K,M)", bf16>(OrderA);
    else
      return input<"A(M,K)", bf16>(OrderA);
  }
  static constexpr auto right() {
    if constexpr (b_turned)
      return input<"B(N,K)", bf16>(OrderB);
    else
      return input<"B(K,N)", bf16>(OrderB);
  }
  static constexpr auto operands = sectile::operands(left(), right(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"N", N}, {"K", 64}}, .stages = 3, .cluster = {ClusterRows, ClusterCols}, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      if constexpr (a_turned && b_turned)
        acc += transpose(sm.load(A, {k, m})) * transpose(sm.load(B, {n, k}));
      else if constexpr (a_turned)
        acc += transpose(sm.load(A, {k, m})) * sm.load(B, {k, n});
      else if constexpr (b_turned)
        acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      else
        acc += sm.load(A, {m, k}) * sm.load(B, {k, n});
    }
    sm.store(C, {m, n}, acc);
  }
};

template <storage_order OrderA, taken TakeA, storage_order OrderB, taken TakeB, int... More>
void check_majors() {
  using program = product_of<OrderA, TakeA, OrderB, TakeB, More...>;
  constexpr int m = 200, n = 100, k = 138;
  host_tensor<bf16> A({program::a_turned ? k : m, program::a_turned ? m : k}, OrderA, 1);
  host_tensor<bf16> B({program::b_turned ? n : k, program::b_turned ? k : n}, OrderB, 2);
  host_tensor<bf16> C({m, n}, row_major, 1);
  A.fill(1);
  B.fill(2);
  run_on_schedules<program>(2, C, A.in(), B.in(), C.view());
  std::vector<std::vector<double>> rows(m, std::vector<double>(k)), cols(n, std::vector<double>(k));
  A.for_each_number([&](double x, int i, int j) {
    rows[static_cast<std::size_t>(program::a_turned ? j : i)][static_cast<std::size_t>(program::a_turned ? i : j)] = x;
  });
  B.for_each_number([&](double x, int i, int j) {
    cols[static_cast<std::size_t>(program::b_turned ? i : j)][static_cast<std::size_t>(program::b_turned ? j : i)] = x;
  });
  check_close(C, bf16_close, [&](int i, int j) {
    return sum_of_products(rows[static_cast<std::size_t>(i)], cols[static_cast<std::size_t>(j)]);
  });
}

constexpr auto as_it_is = taken::as_it_is, transposed = taken::transposed;

}  // namespace

TEST_CASE("A row-major, B row-major: A is K-major, B is MN-major") {
  if constexpr (exhaustively) check_majors<row_major, as_it_is, row_major, as_it_is>();
}

TEST_CASE("A column-major, B row-major: both are MN-major") {
  if constexpr (exhaustively) check_majors<col_major, as_it_is, row_major, as_it_is>();
}

TEST_CASE("A row-major, B column-major: both are K-major") {
  if constexpr (exhaustively) {
    check_majors<row_major, as_it_is, col_major, as_it_is>();
  }
}

TEST_CASE("A column-major, B column-major: A is MN-major, B is K-major") {
  if constexpr (exhaustively) {
    check_majors<col_major, as_it_is, col_major, as_it_is>();
  }
}

TEST_CASE("both transposed, row-major") { check_majors<row_major, transposed, row_major, transposed, 64, 2, 1>(); }

TEST_CASE("a transposed column-major A is K-major") {
  if constexpr (exhaustively) check_majors<col_major, transposed, row_major, as_it_is, 64, 1, 2>();
}

TEST_CASE("a transposed column-major B is MN-major") {
  if constexpr (exhaustively) check_majors<row_major, as_it_is, col_major, transposed, 64, 2, 2>();
}

TEST_CASE("an MN-major B of 24 columns has a 16-byte row of core matrices") {
  if constexpr (exhaustively) check_majors<row_major, as_it_is, row_major, as_it_is, 24>();
}

TEST_CASE("an MN-major B of 96 columns has panels of a 64-byte swizzle") {
  check_majors<row_major, as_it_is, row_major, as_it_is, 96>();
}

TEST_CASE("an MN-major B of 256 columns, fetched in slices of its rows") {
  check_majors<row_major, as_it_is, row_major, as_it_is, 256, 2, 1>();
}
