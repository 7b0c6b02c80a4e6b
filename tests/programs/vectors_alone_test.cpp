// Kernels that store no matrix, on the model.
#include "tests/programs/vectors_alone.hpp"

#include "tests/programs/kit.hpp"
#include "tests/programs/written.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

template <class Kernel>
void check_row_sums() {
  for (const auto& [batches, m, n] : {std::array{2, 200, 131}, {1, 1, 64}, {3, 64, 300}}) {
    CAPTURE(n);
    host_tensor<bf16> X({batches, m, n});
    X.fill(1);
    host_tensor<float> sums({batches, m});
    run_on_schedules<Kernel>(1, sums, X.in(), sums.view());
    check_close(sums, f32_close, [&](int b, int i) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += X.number(b, i, j);
      return sum;
    });
  }
}

template <class Kernel>
void check_largest() {
  constexpr int m = 300, n = 139;
  host_tensor<bf16> X({m, n});
  X.fill(1);
  written<float> most(1), rows(m), cols(n);
  const auto check = [&] {
    double all = 0;
    std::vector<double> of_row(m), of_col(n);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        for (double* x : {&all, &of_row[static_cast<std::size_t>(i)], &of_col[static_cast<std::size_t>(j)]})
          *x = std::max(*x, std::abs(static_cast<double>(X.number(i, j))));
    int wrong = most(0) != all;
    for (int i = 0; i < m; ++i) wrong += rows(i) != of_row[static_cast<std::size_t>(i)];
    for (int j = 0; j < n; ++j) wrong += cols(j) != of_col[static_cast<std::size_t>(j)];
    CHECK(wrong == 0);
  };
  on_schedules(
      [&](const model_options& how) { run_on_model_with<Kernel>(how, X.in(), most.number(), rows.out(), cols.out()); },
      check, most, rows, cols);
}

}  // namespace

TEST_CASE("numbers of rows of any length, and no matrix") {
  if constexpr (exhaustively) check_row_sums<test::row_sums<1, configuration{.stages = 3}>>();
  if constexpr (exhaustively) check_row_sums<test::row_sums<1, configuration{.stages = 3, .swap = true}>>();
  check_row_sums<test::row_sums<2, configuration{.stages = 4, .cluster = {2, 1}, .persistent = true}>>();
}

TEST_CASE("what all tiles of an input are combined into, and no matrix") {
  if constexpr (exhaustively) check_largest<largest<configuration{.stages = 2}>>();
  check_largest<largest<configuration{.stages = 3, .cluster = {2, 2}, .persistent = true}>>();
}

/// A number of a whole row that a tile holds.
template <class Kernel>
void check_log_sum_exp() {
  constexpr int m = 130, n = 99;
  host_tensor<bf16> X({m, n});
  X.fill(1);
  host_tensor<float> lse({1, m});
  run_on_schedules<Kernel>(1, lse, X.in(), tensor_view<float>{lse.view().data, 1, {m}, {1}});
  check_close(lse, 0x1p-16, [&](int, int i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += std::exp(X.number(i, j));
    return std::log(sum);
  });
}
TEST_CASE("a number of a whole row that a tile holds, and no matrix") {
  if constexpr (exhaustively) check_log_sum_exp<log_sum_exp>();
}

TEST_CASE("products whose rows end as one number each") {
  constexpr int m = 150, n = 130, k = 100;
  host_tensor<bf16> X({m, k}), C({n, k});
  X.fill(1), C.fill(2);
  std::vector<float> norm;
  for (int j = 0; j < n; ++j) norm.push_back(static_cast<float>(dot(C, C, j, j)));
  host_tensor<s32> nearest({1, m});
  run_on_schedules<nearest_row>(1, nearest, X.in(), C.in(), tensor(std::as_const(norm).data(), n),
                                tensor_view<s32>{nearest.view().data, 1, {m}, {1}});
  int wrong = 0;
  for (int i = 0; i < m; ++i) {
    const auto score = [&](int j) { return 2 * dot(X, C, i, j) - dot(C, C, j, j); };
    double most = score(0);
    for (int j = 1; j < n; ++j) most = std::max(most, score(j));
    wrong += score(static_cast<int>(nearest.number(0, i))) < most - 1e-3;
  }
  CHECK(wrong == 0);
}
