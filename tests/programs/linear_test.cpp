// The layers of kernels/linear.hpp on the model, against float64.
#include <sectile/kernels/linear.hpp>

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::kernels;
using namespace sectile::test;

template <activation F>
double activated(double x) {
  constexpr double pi = 3.14159265358979323846;
  if constexpr (F == activation::relu) return std::max(x, 0.0);
  if constexpr (F == activation::gelu) return x * std::erfc(-x / std::sqrt(2.0)) / 2;
  if constexpr (F == activation::gelu_tanh)
    return x * (1 + std::tanh(std::sqrt(2 / pi) * (x + 0.044715 * x * x * x))) / 2;
  if constexpr (F == activation::silu) return x / (1 + std::exp(-x));
  return x;
}

constexpr int height = 140, width = 136, depth = 96;

template <activation F>
void check_linear() {
  host_tensor<bf16> A({height, depth}), W({width, depth}), bias({1, width}), C({height, width});
  A.fill(1), W.fill(2), bias.fill(3);
  run_on_schedules<linear<bf16, F>>(0, C, A.in(), W.in(), tensor(bias.in().data, width), C.view());
  check_close(C, bf16_close, [&](int i, int j) { return activated<F>(dot(A, W, i, j) + bias.number(0, j)); });
}

/// In 8 bits: numbers that both types have.
template <class T>
void check_scaled() {
  std::vector<T> a(height * depth), w(width * depth);
  std::vector<float> of_row(height), of_col(width);
  const auto number = [](int i, int j) { return static_cast<float>((i * 7 + j * 13) % 17 - 8); };
  for (int i = 0; i < height * depth; ++i) a[static_cast<std::size_t>(i)] = T(number(i, 1));
  for (int i = 0; i < width * depth; ++i) w[static_cast<std::size_t>(i)] = T(number(3, i));
  for (int i = 0; i < height; ++i) of_row[static_cast<std::size_t>(i)] = 0.25f + static_cast<float>(i % 5);
  for (int i = 0; i < width; ++i) of_col[static_cast<std::size_t>(i)] = 1.5f - static_cast<float>(i % 7);
  host_tensor<bf16> C({height, width});
  const auto aligned = [](const std::vector<T>& from, host_tensor<T>& to) {
    for (std::size_t i = 0; i < from.size(); ++i)
      std::memcpy(to.bytes.data() + to.first + i * sizeof(T), &from[i], sizeof(T));
  };
  host_tensor<T> A({height, depth}), W({width, depth});
  REQUIRE(A.stride[0] == depth);
  aligned(a, A), aligned(w, W);
  run_on_schedules<scaled_linear<T, bf16>>(0, C, A.in(), W.in(),
                                           tensor(static_cast<const float*>(of_row.data()), height),
                                           tensor(static_cast<const float*>(of_col.data()), width), C.view());
  check_close(C, bf16_close, [&](int i, int j) {
    return sum_of_products(A.row(i, depth), W.row(j, depth)) *
           static_cast<double>(of_row[static_cast<std::size_t>(i)]) *
           static_cast<double>(of_col[static_cast<std::size_t>(j)]);
  });
}

}  // namespace

TEST_CASE("a linear layer: bias") {
  if constexpr (exhaustively) check_linear<activation::none>();
}
TEST_CASE("a linear layer: bias and gelu") { check_linear<activation::gelu>(); }
TEST_CASE("a linear layer: bias and gelu by tanh") {
  if constexpr (exhaustively) check_linear<activation::gelu_tanh>();
}
TEST_CASE("a linear layer: bias and relu") {
  if constexpr (exhaustively) check_linear<activation::relu>();
}

TEST_CASE("a linear layer adds what goes around it, in place") {
  host_tensor<bf16> A({height, depth}), W({width, depth}), bias({1, width}), R({height, width}), C({height, width});
  A.fill(1), W.fill(2), bias.fill(3), R.fill(4), C.fill(4);
  run_on_model<linear_residual<bf16, activation::silu>>(
      A.in(), W.in(), tensor(bias.in().data, width),
      tensor_view<const bf16>{C.view().data, 2, {height, width}, {C.stride[0], 1}}, C.view());
  check_close(C, bf16_close, [&](int i, int j) {
    return activated<activation::silu>(dot(A, W, i, j) + bias.number(0, j)) + R.number(i, j);
  });
}

TEST_CASE("a gated linear layer") {
  host_tensor<bf16> A({height, depth}), W({width, depth}), V({width, depth}), C({height, width});
  A.fill(1), W.fill(2), V.fill(3);
  run_on_schedules<gated_linear<bf16, activation::silu>>(0, C, A.in(), W.in(), V.in(), C.view());
  check_close(C, bf16_close,
              [&](int i, int j) { return activated<activation::silu>(dot(A, W, i, j)) * dot(A, V, i, j); });
}

TEST_CASE("a linear layer in e4m3 with scales of rows and columns") {
  if constexpr (exhaustively) check_scaled<e4m3>();
}
TEST_CASE("a linear layer in s8 with scales of rows and columns") { check_scaled<s8>(); }

TEST_CASE_TEMPLATE("what BLAS calls a GEMM, in place", Out, float, bf16) {
  host_tensor<bf16> A({height, depth}), W({width, depth});
  host_tensor<Out> R({height, width}), C({height, width});
  A.fill(1), W.fill(2), R.fill(3), C.fill(3);
  if constexpr (exhaustively || std::is_same_v<Out, bf16>) {
    run_on_model<scaled_sum<bf16, Out>>(A.in(), W.in(),
                                        tensor_view<const Out>{C.view().data, 2, {height, width}, {C.stride[0], 1}},
                                        C.view(), 0.5f, 3.0f);
    check_close(C, std::is_same_v<Out, float> ? f32_close : bf16_close,
                [&](int i, int j) { return 0.5 * dot(A, W, i, j) + 3 * R.number(i, j); });
  }
}

TEST_CASE("the products of all rows with each other") {
  host_tensor<bf16> A({height, depth}), C({height, height});
  A.fill(1);
  run_on_schedules<gram<bf16, bf16>>(0, C, A.in(), C.view());
  check_close(C, bf16_close, [&](int i, int j) { return dot(A, A, i, j); });
}
