// Rows of any length on the model, against float64: softmax and norms.
#include <sectile/kernels/rows.hpp>

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::kernels;
using namespace sectile::test;

constexpr double epsilon = 0x1p-10;

template <class T>
constexpr double near_enough = std::is_same_v<T, float> ? 0x1p-16 : bf16_close;

/// check(m, n) for rows of less than a tile, of whole tiles, and of several and a part.
void for_sizes(auto check) {
  for (const auto& [m, n] : {std::array{130, 600}, {64, 256}, {1, 8}, {70, 136}}) {
    CAPTURE(m);
    CAPTURE(n);
    check(m, n);
  }
}

struct moments {
  double mean = 0, of_squares = 0;
  double variance() const { return of_squares - mean * mean; }
};
template <class T>
moments moments_of(const host_tensor<T>& X, int i, int n) {
  moments s{};
  for (int j = 0; j < n; ++j) s.mean += X.number(i, j) / n, s.of_squares += X.number(i, j) * X.number(i, j) / n;
  return s;
}

}  // namespace

TEST_CASE_TEMPLATE("softmax", T, bf16, f16, float) {
  for_sizes([](int m, int n) {
    host_tensor<T> X({m, n}), Y({m, n});
    X.fill(1);
    run_on_schedules<softmax<T>>(1, Y, X.in(), Y.view());
    check_close(Y, near_enough<T>, [&](int i, int j) {
      double sum = 0;
      for (int l = 0; l < n; ++l) sum += std::exp(X.number(i, l) - X.number(i, j));
      return 1 / sum;
    });
  });
}

TEST_CASE_TEMPLATE("RMS norm", T, bf16, float) {
  for_sizes([](int m, int n) {
    host_tensor<T> X({m, n}), gamma({1, n}), Y({m, n});
    X.fill(1), gamma.fill(2);
    run_on_schedules<rms_norm<T>>(1, Y, X.in(), tensor(gamma.in().data, n), Y.view(), static_cast<float>(epsilon));
    check_close(Y, near_enough<T>, [&](int i, int j) {
      return X.number(i, j) / std::sqrt(moments_of(X, i, n).of_squares + epsilon) * gamma.number(0, j);
    });
  });
}

TEST_CASE_TEMPLATE("layer norm", T, bf16, float) {
  for_sizes([](int m, int n) {
    host_tensor<T> X({m, n}), gamma({1, n}), beta({1, n}), Y({m, n});
    X.fill(1), gamma.fill(2), beta.fill(3);
    run_on_schedules<layer_norm<T>>(1, Y, X.in(), tensor(gamma.in().data, n), tensor(beta.in().data, n), Y.view(),
                                    static_cast<float>(epsilon));
    check_close(Y, near_enough<T>, [&](int i, int j) {
      const moments s = moments_of(X, i, n);
      return (X.number(i, j) - s.mean) / std::sqrt(s.variance() + epsilon) * gamma.number(0, j) + beta.number(0, j);
    });
  });
}
