// What a body may do to an accumulator before it stores it.
#include <algorithm>

#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// acc = A * B^T, then Epilogue::store(sm, C, at, acc).
template <class Epilogue, bool Persistent = false>
struct matmul_with {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 3, .consumers = 2, .persistent = Persistent};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    const auto at = sm.tile_of(C);
    const auto [m, n] = at;
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    Epilogue::store(sm, C, at, acc);
  }
};

struct packed {
  static constexpr void store(auto& sm, auto C, auto at, auto& x) {
    auto p = cast<bf16>(x);
    sm.store(C, at, p);
  }
};
struct temporary {
  static constexpr void store(auto& sm, auto C, auto at, auto& x) { sm.store(C, at, x * 1.0f); }
};
struct copied {
  static constexpr void store(auto& sm, auto C, auto at, auto& x) {
    auto y = x;
    y = y * 2.0f;
    sm.store(C, at, x + y);
  }
};
struct rectified {
  static constexpr void store(auto& sm, auto C, auto at, auto& x) {
    sm.store(C, at, map(x, [](float v) { return v > 0 ? v : 0.0f; }));
  }
};
struct below_the_diagonal {
  static constexpr void store(auto& sm, auto C, auto at, auto& x) {
    mask(
        x, at, true, [](int row, int col) { return col <= row; }, 0.0f);
    sm.store(C, at, x);
  }
};
struct divided_by_the_sum_of_squares {
  static constexpr void store(auto& sm, auto C, auto at, auto& x) {
    x *= reciprocal(row_sum(x * x));
    sm.store(C, at, x);
  }
};
struct exponential_below_the_maximum {
  static constexpr void store(auto& sm, auto C, auto at, auto& x) {
    const auto top = row_max(x);
    sm.store(C, at, exp2(fma(x, 1.0f, -top)));
  }
};
/// What only the run knows goes into a function by its captures, and selects there.
struct scaled_in_the_first_row_of_tiles {
  static constexpr void store(auto& sm, auto C, auto at, auto& x) {
    const auto [m, n] = at;
    x = map(x, [first = m == 0](float v) { return select(first, 2 * v, v); });
    sm.store(C, at, x);
  }
};

/// Checks a program whose element (i, j) depends on the product's element alone.
template <class Program, class F>
void check_elementwise(F f) {
  check_program<Program>(300, 73, 70,
                         [&](const auto& A, const auto& B, int i, int j) { return f(dot(A, B, i, j), i, j); });
}

}  // namespace

TEST_CASE("store of a packed fragment") {
  if constexpr (exhaustively) check_elementwise<matmul_with<packed>>([](double x, int, int) { return x; });
}

TEST_CASE("store of a temporary") {
  if constexpr (exhaustively) {
    check_elementwise<matmul_with<temporary>>([](double x, int, int) { return x; });
  }
}

TEST_CASE("a copy of an accumulator is a value of its own") {
  check_elementwise<matmul_with<copied, true>>([](double x, int, int) { return 3 * x; });
}

TEST_CASE("a function of each element") {
  if constexpr (exhaustively)
    check_elementwise<matmul_with<rectified, true>>([](double x, int, int) { return std::max(x, 0.0); });
}

TEST_CASE("a mask knows the rows and columns of the whole matrix") {
  check_elementwise<matmul_with<below_the_diagonal>>([](double x, int i, int j) { return j <= i ? x : 0.0; });
}

TEST_CASE("a function that depends on the tile") {
  if constexpr (exhaustively)
    check_elementwise<matmul_with<scaled_in_the_first_row_of_tiles>>(
        [](double x, int i, int) { return i < 128 ? 2 * x : x; });
}

TEST_CASE("a sum over each row") {
  host_tensor<bf16> A({140, 130}), B({60, 130}), C({140, 60});  // rows fit a tile: columns beyond are zeros
  A.fill(1);
  B.fill(2);
  const numbers x = product(A, B);
  if constexpr (exhaustively) {
    run_on_schedules<matmul_with<divided_by_the_sum_of_squares, true>>(2, C, A.in(), B.in(), C.view());
    check_close(C, bf16_close, [&](int i, int j) {
      double squares = 0;
      for (int c = 0; c < x.cols; ++c) squares += x(i, c) * x(i, c);
      return x(i, j) / squares;
    });
  }
}

TEST_CASE("the maximum of each row") {
  host_tensor<bf16> A({140, 130}), B({60, 130}), C({140, 60});
  A.fill(1);
  B.fill(2);
  const numbers x = product(A, B);
  run_on_schedules<matmul_with<exponential_below_the_maximum, true>>(2, C, A.in(), B.in(), C.view());
  check_close(C, bf16_close, [&](int i, int j) {
    double top = 0;  // of the zeros behind the last column
    for (int c = 0; c < x.cols; ++c) top = std::max(top, x(i, c));
    return std::exp2(x(i, j) - top);
  });
}
