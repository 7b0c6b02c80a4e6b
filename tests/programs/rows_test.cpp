// Rows of any length on the model, against float64: what they store and are made of, and softmax.
#include <sectile/dsl/launch/portable_model.hpp>
#include <sectile/kernels/rows.hpp>

#include "tests/programs/row_kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::kernels;
using namespace sectile::test;

/// Two outputs, each in a loop of its own, or both in one.
template <bool InOne>
struct two_copies {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", bf16>(), output<"Z(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 3, .consumers = 1, .persistent = true};

  static constexpr void body(auto& sm, auto X, auto Y, auto Z) {
    auto [m] = sm.rows_of(Y);
    for (auto j : sm.pipelined(tiles<"N">(Y))) {
      const auto x = cast<float>(in_registers(sm.load(X, {m, j})));
      sm.store(Y, {m, j}, x);
      if constexpr (InOne) sm.store(Z, {m, j}, -x);
    }
    if constexpr (!InOne)
      for (auto j : sm.pipelined(tiles<"N">(Z))) sm.store(Z, {m, j}, -cast<float>(in_registers(sm.load(X, {m, j}))));
  }
};

/// Each row divided by the largest magnitude in it, which is stored beside; batches of matrices.
template <configuration How>
struct scaled_rows {
  static constexpr auto operands =
      sectile::operands(input<"X(B,M,N)", bf16>(), vector_output<"most(B,M)", float>(), output<"Y(B,M,N)", float>());
  static constexpr sectile::configuration how = How;

  static constexpr void body(auto& sm, auto X, auto most, auto Y) {
    auto [b, m] = sm.rows_of(Y);
    auto top = row_max(abs(cast<float>(in_registers(sm.load(X, {b, m, 0})))));
    for (auto j : sm.pipelined(tiles<"N">(X) - 1))
      top = max(top, row_max(abs(cast<float>(in_registers(sm.load(X, {b, m, j + 1}))))));
    sm.store(most, {b, m}, top);
    for (auto j : sm.pipelined(tiles<"N">(Y)))
      sm.store(Y, {b, m, j}, cast<float>(in_registers(sm.load(X, {b, m, j}))) / top);
  }
};
template <configuration How>
void check_scaled_rows() {
  constexpr int batches = 2, m = 268, n = 136;
  host_tensor<bf16> X({batches, m, n});
  host_tensor<float> Y({batches, m, n});
  X.fill(1);
  std::vector<float> most(batches * m);
  run_on_schedules<scaled_rows<How>>(2, Y, X.in(), tensor(most.data(), batches, m), Y.view());
  int wrong = 0;
  std::vector<double> largest(most.size());
  X.for_each_number([&](double x, int b, int i, int) {
    double& top = largest[static_cast<std::size_t>(b * m + i)];
    top = std::max(top, std::abs(x));
  });
  for (std::size_t i = 0; i < most.size(); ++i) wrong += static_cast<double>(most[i]) != largest[i];
  CHECK(wrong == 0);
  check_close(Y, f32_close,
              [&](int b, int i, int j) { return X.number(b, i, j) / largest[static_cast<std::size_t>(b * m + i)]; });
}

/// C = A B with all of C's columns made by one CTA: products inside of the loop that stores.
template <configuration How>
struct row_of_products {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = How;

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m] = sm.rows_of(C);
    for (auto j : sm.pipelined(tiles<"N">(C))) {
      auto acc = sm.accumulator(C);
      for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {j, k}));
      sm.store(C, {m, j}, acc);
    }
  }
};
template <configuration How>
void check_row_of_products() {
  constexpr int m = 140, n = 200, k = 72;
  host_tensor<bf16> A({m, k}), B({n, k}), C({m, n});
  A.fill(1), B.fill(2);
  run_on_schedules<row_of_products<How>>(1, C, A.in(), B.in(), C.view());
  check_close(C, bf16_close, [&](int i, int j) { return dot(A, B, i, j); });
}

}  // namespace

TEST_CASE_TEMPLATE("rows of two outputs", InOne, std::true_type, std::false_type) {
  if constexpr (exhaustively || !InOne::value) {
    constexpr int m = 140, n = 136;
    host_tensor<bf16> X({m, n}), Y({m, n});
    host_tensor<float> Z({m, n});
    X.fill(1);
    for (const auto schedule : {schedule_mode::fair, schedule_mode::random}) {
      run_on_model_with<two_copies<InOne::value>>({.schedule = schedule, .seed = 5}, X.in(), Y.view(), Z.view());
      int differ = 0;
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) differ += Y.number(i, j) != X.number(i, j) || Z.number(i, j) != -X.number(i, j);
      CHECK(differ == 0);
    }
  }
}

TEST_CASE("rows on every configuration") {
  check_scaled_rows<configuration{
      .tile = {{"M", 256}, {"N", 32}}, .stages = 2, .cluster = {2, 1}, .consumers = 4, .persistent = true}>();
  if constexpr (exhaustively) {
    check_scaled_rows<configuration{
        .tile = {{"M", 8}, {"N", 128}}, .stages = 3, .consumers = 1, .persistent = true, .swap = true}>();
    check_scaled_rows<configuration{.tile = {{"M", 64}, {"N", 64}}, .stages = 3, .cluster = {2, 1}, .consumers = 1}>();
    check_scaled_rows<configuration{
        .tile = {{"M", 256}, {"N", 32}}, .stages = 2, .consumers = 4, .persistent = true}>();
    check_scaled_rows<configuration{
        .tile = {{"M", 64}, {"N", 128}}, .stages = 3, .consumers = 1, .persistent = true}>();
    check_scaled_rows<configuration{.tile = {{"M", 128}, {"N", 64}}, .stages = 2}>();
    check_scaled_rows<configuration{.tile = {{"M", 24}, {"N", 256}}, .stages = 2, .consumers = 2, .swap = true}>();
  }
}

TEST_CASE("a wide tile is as wide as rows") {
  using wide = member<softmax<bf16>, 1>;
  static_assert(plan_of<wide>.wide_tiles);
  constexpr int m = 8, n = configuration_of<wide>.tile.of(mode_named("N")) + 8;
  host_tensor<bf16> X({m, n}), Y({m, n});
  X.fill(1);
  CHECK_THROWS_AS(run_on_model<wide>(X.in(), Y.view()), launch_error);
}

TEST_CASE("products in the loop that stores") {
  if constexpr (exhaustively) {
    check_row_of_products<configuration{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3}>();
  check_row_of_products<configuration{
      .tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3, .cluster = {2, 1}, .persistent = true}>();
  }
  check_row_of_products<configuration{.tile = {{"M", 32}, {"N", 128}, {"K", 64}}, .stages = 3, .swap = true}>();
}

template <class Way>
void check_row_of_products_before_hopper() {
  using kernel = row_of_products<configuration{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3}>;
  constexpr int m = 140, n = 72, k = 136;
  host_tensor<bf16> A({m, k}), B({n, k}), C({m, n});
  A.fill(1), B.fill(2);
  run_portable_on_model_with<kernel, Way>({}, A.in(), B.in(), C.view());
  check_close(C, bf16_close, [&](int i, int j) { return dot(A, B, i, j); });
}
TEST_CASE("products in the loop that stores, before Hopper") {
  if constexpr (exhaustively) check_row_of_products_before_hopper<portable::wmma<16, 16>>();
  if constexpr (exhaustively) check_row_of_products_before_hopper<portable::simt>();
}

TEST_CASE_TEMPLATE("softmax", Rows, sampled<softmax<bf16>, 4>, sampled<softmax<float>, 0>) {
  using T = element_of_rows<Rows>;
  if constexpr (exhaustively || std::is_same_v<T, float>)
    for_sizes([](int m, int n) {
      host_tensor<T> X({m, n}), Y({m, n});
      X.fill(1);
      run_on_schedules<Rows>(1, Y, X.in(), Y.view());
      check_close(Y, near_enough<T>, softmax_of(X));
    });
}

TEST_CASE_TEMPLATE("softmax by every member", T, bf16, float, f16) {
  for_members<softmax<T>, 1>([]<int I>() {
    using kernel = member<softmax<T>, I>;
    CAPTURE(I);
    const int m = 20, n = 200;
    host_tensor<T> X({m, n}), Y({m, n});
    X.fill(1);
    run_on_model<kernel>(X.in(), Y.view());
    check_close(Y, near_enough<T>, softmax_of(X));
  });
}
