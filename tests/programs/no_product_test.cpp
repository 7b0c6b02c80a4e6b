// Kernels without a product: what is loaded is computed with in registers, and stored.
#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

constexpr configuration simple{.tile = {{"M", 128}, {"N", 128}}, .stages = 2};
constexpr configuration walking{.tile = {{"M", 64}, {"N", 64}}, .stages = 3, .consumers = 1, .persistent = true};
constexpr configuration shared{.tile = {{"M", 128}, {"N", 64}}, .stages = 2, .cluster = {1, 2}, .persistent = true};

/// Y = X scaled by column, and the largest magnitude in it.
template <class From, class To, configuration How>
struct scaled_copy {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", From>(), input<"of_col(N)", float>(),
                                                     output<"Y(M,N)", To>(), output<"amax", float>());
  static constexpr sectile::configuration how = How;

  static constexpr void body(auto& sm, auto X, auto of_col, auto Y, auto amax) {
    auto [m, n] = sm.tile_of(Y);
    auto x = cast<float>(in_registers(sm.load(X, {m, n})));
    sm.combine(amax, {}, abs(x), reduction::max);
    sm.store(Y, {m, n}, x * sm.load(of_col, {n}));
  }
};

template <class From, class To, configuration How>
void check_scaled_copy(double close) {
  for (const auto& [m, n] : {std::array{140, 280}, {1, 8}, {128, 128}}) {
    CAPTURE(m);
    host_tensor<From> X({m, n});
    host_tensor<To> Y({m, n});
    X.fill(1);
    std::vector<float> of_col(static_cast<std::size_t>(n));
    for (std::size_t j = 0; j < of_col.size(); ++j) of_col[j] = 0.5f + static_cast<float>(j % 5);
    float amax = 0;
    run_on_schedules<scaled_copy<From, To, How>>(1, Y, X.in(), tensor(static_cast<const float*>(of_col.data()), n),
                                                 Y.view(), tensor(&amax));
    check_close(Y, close, [&](int i, int j) {
      return X.number(i, j) * static_cast<double>(of_col[static_cast<std::size_t>(j)]);
    });
    double largest = 0;
    X.for_each_number([&](double x, int, int) { largest = std::max(largest, std::abs(x)); });
    CHECK(static_cast<double>(amax) == largest);
  }
}

/// Y = u v^T of vectors alone.
struct outer_product {
  static constexpr auto operands =
      sectile::operands(input<"u(M)", float>(), input<"v(N)", float>(), output<"Y(M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 64}}};

  static constexpr void body(auto& sm, auto u, auto v, auto Y) {
    auto [m, n] = sm.tile_of(Y);
    sm.store(Y, {m, n}, (sm.accumulator(Y) + sm.load(u, {m})) * sm.load(v, {n}));
  }
};
TEST_CASE("vectors alone make a matrix") {
  const std::vector<float> u{3, -1, 0.5f}, v{1, 2, -4, 8, 7};
  host_tensor<float> Y({3, 5});
  run_on_schedules<outer_product>(1, Y, tensor(u.data(), 3), tensor(v.data(), 5), Y.view());
  check_close(Y, 0, [&](int i, int j) {
    return static_cast<double>(u[static_cast<std::size_t>(i)]) * static_cast<double>(v[static_cast<std::size_t>(j)]);
  });
}

/// Y = X + Z, element by element.
template <configuration How>
struct added {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", bf16>(), input<"Z(M,N)", float>(), output<"Y(M,N)", float>());
  static constexpr sectile::configuration how = How;

  static constexpr void body(auto& sm, auto X, auto Z, auto Y) {
    auto [m, n] = sm.tile_of(Y);
    sm.store(Y, {m, n}, sm.load(X, {m, n}) + sm.load(Z, {m, n}));
  }
};

/// The softmax of each row, which is one tile wide.
template <class T>
struct softmax_of_short_rows {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", T>(), output<"Y(M,N)", T>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 128}}, .stages = 2, .persistent = true};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.tile_of(Y);
    const auto columns = size<"N">(Y);
    auto x = cast<float>(in_registers(sm.load(X, {m, n})));
    mask(
        x, {m, n}, columns % extent<"N">(Y) != 0, [=](int, int col) { return col < columns; }, -infinity);
    x = exp(x - row_max(x));
    sm.store(Y, {m, n}, x * reciprocal(row_sum(x)));
  }
};

}  // namespace

TEST_CASE("a copy to another type, scaled") {
  if constexpr (exhaustively) check_scaled_copy<float, bf16, simple>(bf16_close);
  if constexpr (exhaustively) check_scaled_copy<bf16, float, walking>(f32_close);
  check_scaled_copy<bf16, e4m3, walking>(0x1p-3);
  if constexpr (exhaustively) check_scaled_copy<f16, bf16, shared>(bf16_close);
}

template <configuration How>
void check_added() {
  constexpr int m = 200, n = 140;
  host_tensor<bf16> X({m, n});
  host_tensor<float> Z({m, n}), Y({m, n});
  X.fill(1), Z.fill(2);
  run_on_schedules<added<How>>(1, Y, X.in(), Z.in(), Y.view());
  check_close(Y, f32_close, [&](int i, int j) { return X.number(i, j) + Z.number(i, j); });
}
TEST_CASE("a sum of two matrices") {
  check_added<walking>();
  if constexpr (exhaustively) check_added<simple>();
}

template <class T>
void check_softmax_of_short_rows() {
  constexpr int m = 140, n = 100;
  host_tensor<T> X({m, n}), Y({m, n});
  X.fill(1);
  run_on_schedules<softmax_of_short_rows<T>>(1, Y, X.in(), Y.view());
  std::vector<double> sums(m);
  X.for_each_number([&](double x, int i, int) { sums[static_cast<std::size_t>(i)] += std::exp(x); });
  check_close(Y, bf16_close,
              [&](int i, int j) { return std::exp(X.number(i, j)) / sums[static_cast<std::size_t>(i)]; });
}
TEST_CASE("the softmax of short rows") {
  check_softmax_of_short_rows<float>();
  if constexpr (exhaustively) check_softmax_of_short_rows<bf16>();
}
