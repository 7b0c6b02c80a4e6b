// Norms of rows that a tile holds in eight parts, on the model, against float64; by every member rows of which each CTA has
// several, and a mean that is large beside the deviation, so that a sum of squares alone would lose the variance.
#include <sectile/kernels/long_rows.hpp>
#include <vector>

#include "tests/programs/long_row_kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::kernels;
using namespace sectile::test;

constexpr double epsilon = 0x1p-10;

template <class T>
struct norm_problem {
  static constexpr int m = 20, n = 192, parts = 8;
  host_tensor<T> X{{m, n}}, gamma{{1, n}}, beta{{1, n}}, Y{{m, n}};
  norm_problem() {
    X.fill(1), gamma.fill(2), beta.fill(3);
    Y.poison();
  }
  auto vector(const host_tensor<T>& of) const { return folded(tensor(of.in().data, n), parts); }
};

}  // namespace

TEST_CASE_TEMPLATE("RMS norm of long rows", Rows, sampled<long_rms_norm<bf16>, 3>, sampled<long_rms_norm<float>, 0>) {
  using T = element_of_rows<Rows>;
  for_long_sizes([](int m, int n, int parts) {
    host_tensor<T> X({m, n}), gamma({1, n}), Y({m, n});
    X.fill(1), gamma.fill(2);
    run_folded<Rows>(Y, X, parts, folded(tensor(gamma.in().data, n), parts), folded(Y.view(), parts),
                     static_cast<float>(epsilon));
    const std::vector<moments> of = moments_of_rows(X);
    check_close(Y, near_enough<T>, [&](int i, int j) {
      return X.number(i, j) / std::sqrt(of[static_cast<std::size_t>(i)].of_squares + epsilon) * gamma.number(0, j);
    });
  });
}

TEST_CASE_TEMPLATE("layer norm of long rows", Rows, sampled<long_layer_norm<bf16>, 3>,
                   sampled<long_layer_norm<float>, 0>) {
  using T = element_of_rows<Rows>;
  for_long_sizes([](int m, int n, int parts) {
    host_tensor<T> X({m, n}), gamma({1, n}), beta({1, n}), Y({m, n});
    X.fill(1), gamma.fill(2), beta.fill(3);
    run_folded<Rows>(Y, X, parts, folded(tensor(gamma.in().data, n), parts), folded(tensor(beta.in().data, n), parts),
                     folded(Y.view(), parts), static_cast<float>(epsilon));
    const std::vector<moments> of = moments_of_rows(X);
    check_close(Y, near_enough<T>, [&](int i, int j) {
      const moments& s = of[static_cast<std::size_t>(i)];
      return (X.number(i, j) - s.mean) / std::sqrt(s.variance() + epsilon) * gamma.number(0, j) + beta.number(0, j);
    });
  });
}

TEST_CASE_TEMPLATE("RMS norm of long rows by every member", T, bf16, float) {
  for_members<long_rms_norm<T>, 1>([]<int I>() {
    CAPTURE(I);
    norm_problem<T> p;
    run_on_model<member<long_rms_norm<T>, I>>(folded(p.X.in(), p.parts), p.vector(p.gamma), folded(p.Y.view(), p.parts),
                                              static_cast<float>(epsilon));
    CHECK(p.Y.touched() == 0);
    const auto rows = moments_of_rows(p.X);
    check_close(p.Y, near_enough<T>, [&](int i, int j) {
      return p.X.number(i, j) / std::sqrt(rows[static_cast<std::size_t>(i)].of_squares + epsilon) *
             p.gamma.number(0, j);
    });
  });
}

TEST_CASE_TEMPLATE("layer norm of long rows by every member, near zero and far from it", T, bf16, float) {
  for_members<long_layer_norm<T>, 1>([]<int I>() {
    for (const float far : {0.0f, 1000.0f}) {
      CAPTURE(I);
      CAPTURE(far);
      norm_problem<T> p;
      for (int i = 0; i < p.m * p.n; ++i) p.X.view().data[i] = T(static_cast<float>(p.X.view().data[i]) + far);
      run_on_model<member<long_layer_norm<T>, I>>(folded(p.X.in(), p.parts), p.vector(p.gamma), p.vector(p.beta),
                                                  folded(p.Y.view(), p.parts), static_cast<float>(epsilon));
      CHECK(p.Y.touched() == 0);
      const auto rows = moments_of_rows(p.X);
      check_close(p.Y, far == 0 ? near_enough<T> : bf16_close, [&](int i, int j) {
        const moments& s = rows[static_cast<std::size_t>(i)];
        return (p.X.number(i, j) - s.mean) / std::sqrt(s.variance() + epsilon) * p.gamma.number(0, j) +
               p.beta.number(0, j);
      });
    }
  });
}
