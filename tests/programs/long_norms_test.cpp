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

/// Each block's numbers about their mean, in units of their deviation: center() alone, with rows held in either way.
template <bool Swap>
struct centered_blocks {
  static constexpr auto operands = sectile::operands(input<"X(M,P,N)", float>(), output<"Y(M,P,N)", float>());
  static constexpr configuration how{
      .tile = {{"P", 64}, {"N", 128}}, .stages = 2, .consumers = 1, .persistent = true, .swap = Swap};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m] = sm.block_of(Y);
    auto x = in_registers(sm.load(X, {m, 0, 0}));
    const auto [off, variance] = center(x, size<"P">(X), size<"N">(X));
    sm.store(Y, {m, 0, 0}, (x - off) * rsqrt(variance));
  }
};

}  // namespace

TEST_CASE_TEMPLATE("a block about its mean, whichever way registers hold its rows", Blocks, centered_blocks<true>,
                   centered_blocks<false>) {
  for (const auto& [rows, cols] : {std::array{64, 128}, {37, 128}, {64, 84}, {5, 20}}) {
    CAPTURE(rows);
    CAPTURE(cols);
    const int blocks = 3, n = rows * cols;
    host_tensor<float> X({blocks, n}), Y({blocks, n});
    X.fill(1);
    for (int i = 0; i < blocks; ++i)
      for (int j = 0; j < n; ++j) X.view().data[i * n + j] += 100.0f;  // a mean that is large beside the deviation
    run_on_model<Blocks>(folded(X.in(), rows), folded(Y.view(), rows));
    for (int i = 0; i < blocks; ++i) {
      double mean = 0, variance = 0;
      for (int j = 0; j < n; ++j) mean += X.number(i, j) / n;
      for (int j = 0; j < n; ++j) variance += (X.number(i, j) - mean) * (X.number(i, j) - mean) / n;
      for (int j = 0; j < n; ++j)
        CHECK(std::abs(Y.number(i, j) - (X.number(i, j) - mean) / std::sqrt(variance)) < 1e-4);
    }
  }
}

TEST_CASE_TEMPLATE("RMS norm of long rows", Rows, sampled<long_rms_norm<bf16>, 3>, sampled<long_rms_norm<float>, 0>) {
  using T = element_of_rows<Rows>;
  if constexpr (exhaustively || std::is_same_v<T, float>)
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
  if constexpr (exhaustively)
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
  for_members<long_rms_norm<T>>([]<int I>() {
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
