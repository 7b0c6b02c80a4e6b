// Norms of rows of any length, casts and transposes on the model, against float64.
#include <sectile/kernels/rows.hpp>

#include "tests/programs/row_kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::kernels;
using namespace sectile::test;

constexpr double epsilon = 0x1p-10;

}  // namespace

TEST_CASE_TEMPLATE("RMS norm", Rows, sampled<rms_norm<bf16>, 4>, sampled<rms_norm<float>, 2>) {
  using T = element_of_rows<Rows>;
  if constexpr (exhaustively || std::is_same_v<T, float>)
    for_sizes([](int m, int n) {
      host_tensor<T> X({m, n}), gamma({1, n}), Y({m, n});
      X.fill(1), gamma.fill(2);
      run_on_schedules<Rows>(1, Y, X.in(), tensor(gamma.in().data, n), Y.view(), static_cast<float>(epsilon));
      const std::vector<moments> of = moments_of_rows(X);
      check_close(Y, near_enough<T>, [&](int i, int j) {
        return X.number(i, j) / std::sqrt(of[static_cast<std::size_t>(i)].of_squares + epsilon) * gamma.number(0, j);
      });
    });
}

TEST_CASE("a cast, and the largest magnitude") {
  for_sizes([](int m, int n) {
    host_tensor<float> X({m, n});
    host_tensor<bf16> Y({m, n});
    X.fill(1);
    const float scale = 3;
    float amax = 0;
    run_on_schedules<cast_amax<float, bf16>>(1, Y, X.in(), tensor(&scale), Y.view(), tensor(&amax));
    check_close(Y, bf16_close, [&](int i, int j) { return 3 * X.number(i, j); });
    double largest = 0;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) largest = std::max(largest, std::abs(X.number(i, j)));
    CHECK(static_cast<double>(amax) == largest);
  });
}

TEST_CASE_TEMPLATE("a transpose", T, bf16, float) {
  for_sizes([](int m, int n) {
    host_tensor<T> X({m, n}), Y({n, m});
    X.fill(1);
    run_on_schedules<transposed_copy<T>>(1, Y, X.in(), Y.view());
    int differ = 0;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) differ += Y.number(j, i) != X.number(i, j);
    CHECK(differ == 0);
  });
}

TEST_CASE_TEMPLATE("layer norm", Rows, sampled<layer_norm<bf16>, 1>, sampled<layer_norm<float>, 4>) {
  using T = element_of_rows<Rows>;
  if constexpr (exhaustively || std::is_same_v<T, float>)
    for_sizes([](int m, int n) {
      host_tensor<T> X({m, n}), gamma({1, n}), beta({1, n}), Y({m, n});
      X.fill(1), gamma.fill(2), beta.fill(3);
      run_on_schedules<Rows>(1, Y, X.in(), tensor(gamma.in().data, n), tensor(beta.in().data, n), Y.view(),
                             static_cast<float>(epsilon));
      const std::vector<moments> of = moments_of_rows(X);
      check_close(Y, near_enough<T>, [&](int i, int j) {
        const moments& s = of[static_cast<std::size_t>(i)];
        return (X.number(i, j) - s.mean) / std::sqrt(s.variance() + epsilon) * gamma.number(0, j) + beta.number(0, j);
      });
    });
}
