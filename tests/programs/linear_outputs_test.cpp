// The layers of kernels/linear_outputs.hpp on the model, against float64: the matrices, and the vectors beside them.
#include <sectile/kernels/linear_outputs.hpp>

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::kernels;
using namespace sectile::test;

constexpr int height = 140, width = 200, depth = 72;

bool is_near(double found, double expected, double bar) { return std::abs(found - expected) <= bar; }

}  // namespace

TEST_CASE("the gradient of a relu and of the bias in it") {
  host_tensor<bf16> A({height, depth}), W({depth, width}), Z({height, width}), D({height, width});
  host_tensor<float> of_bias({1, width});
  A.fill(1), W.fill(2), Z.fill(3);
  const auto vector = tensor(of_bias.view().data, width);
  host_workspace memory(workspace_bytes<relu_gradient<bf16>>(A.in(), W.in(), Z.in(), D.view(), vector));
  run_on_model<relu_gradient<bf16>>(A.in(), W.in(), Z.in(), D.view(), vector, memory.view());
  const auto gradient = [&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < depth; ++k) sum += A.number(i, k) * W.number(k, j);
    return Z.number(i, j) > 0 ? sum : 0;
  };
  check_close(D, bf16_close, gradient);
  CHECK(of_bias.touched() == 0);
  for (int j = 0; j < width; ++j) {
    double sum = 0, magnitude = 0;
    for (int i = 0; i < height; ++i) sum += gradient(i, j), magnitude += std::abs(gradient(i, j));
    CHECK(is_near(of_bias.number(0, j), sum, 0x1p-16 * magnitude));
  }
}

TEST_CASE("a linear layer and the largest magnitude in its result") {
  host_tensor<bf16> A({height, depth}), W({width, depth}), C({height, width});
  A.fill(1), W.fill(2);
  const float scale = 0.37f;
  float amax = -1;
  run_on_model<linear_amax<bf16, bf16>>(A.in(), W.in(), tensor(&scale), C.view(), tensor(&amax));
  double largest = 0;
  check_close(C, bf16_close, [&](int i, int j) { return dot(A, W, i, j) * static_cast<double>(scale); });
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < width; ++j) largest = std::max(largest, std::abs(dot(A, W, i, j) * static_cast<double>(scale)));
  CHECK(is_near(static_cast<double>(amax), largest, 0x1p-14 * largest));
}

TEST_CASE("logits, and the largest of each row") {
  constexpr int tile = 128, tiles = (width + tile - 1) / tile;
  host_tensor<bf16> A({height, depth}), W({width, depth}), C({height, width});
  host_tensor<float> most({tiles, height});
  host_tensor<s32> where({tiles, height});
  A.fill(1), W.fill(2);
  run_on_model<linear_argmax<bf16>>(A.in(), W.in(), C.view(), most.view(), where.view());
  const numbers logits = product(A, W);
  check_close(C, bf16_close, logits);
  CHECK(most.touched() + where.touched() == 0);
  int wrong = 0, unlike = 0;
  for (int i = 0; i < height; ++i) {
    int token = 0, chosen = 0;  // of the whole row: by float64, and by the tiles' results
    for (int t = 0; t < tiles; ++t) {
      const int column = where(t, i), end = std::min(width, (t + 1) * tile);
      int expected = t * tile;
      for (int j = expected; j < end; ++j) expected = logits(i, j) > logits(i, expected) ? j : expected;
      // Where two are nearly equal, rounding decides.
      wrong += column < t * tile || column >= end || !is_near(logits(i, column), logits(i, expected), 1e-4);
      wrong += !is_near(most.number(t, i), logits(i, expected), 1e-4);
      unlike += column != expected;
      token = t == 0 || logits(i, expected) > logits(i, token) ? expected : token;
      chosen = t == 0 || most.number(t, i) > most.number(chosen / tile, i) ? column : chosen;
    }
    wrong += !is_near(logits(i, token), logits(i, chosen), 1e-4);
  }
  CHECK(wrong == 0);
  CHECK(unlike < height / 50);
}

TEST_CASE("logits, and what their cross entropy needs of each row") {
  constexpr int tile = 128, tiles = (width + tile - 1) / tile;
  host_tensor<bf16> A({height, depth}), W({width, depth}), C({height, width});
  host_tensor<float> most({tiles, height}), sums({tiles, height});
  A.fill(1), W.fill(2);
  run_on_model<linear_cross_entropy<bf16>>(A.in(), W.in(), C.view(), most.view(), sums.view());
  const numbers logits = product(A, W);
  check_close(C, bf16_close, logits);
  CHECK(most.touched() + sums.touched() == 0);
  for (int i = 0; i < height; ++i) {
    double found = 0, expected = 0, top = -1e30;
    for (int t = 0; t < tiles; ++t) top = std::max(top, most.number(t, i));
    for (int t = 0; t < tiles; ++t) found += sums.number(t, i) * std::exp(most.number(t, i) - top);
    for (int j = 0; j < width; ++j) expected += std::exp(logits(i, j) - top);
    CHECK(is_near(std::log(found) + top, std::log(expected) + top, 1e-4));
  }
}
