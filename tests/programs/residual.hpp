// A layer with a residual, which is loaded behind the loop: for tests of how consumers share tiles or have their own.
#pragma once
#include <sectile/kernels/linear.hpp>

#include "tests/programs/matmul.hpp"

namespace sectile::test {

/// The program of P in another configuration.
template <class P, configuration How>
struct in : P {
  static constexpr configuration how = How;
};

/// relu(A W^T + bias) + R in tiles of 64 x 64.
template <configuration How>
using small_residual =
    in<kernels::linear_residual<bf16, kernels::activation::relu>, How.with_tile({{"M", 64}, {"N", 64}, {"K", 64}})>;

/// Its results where tiles hang over both edges.
template <class Residual>
void check_small_residual() {
  const int m = 140, n = 136, k = 200;
  host_tensor<bf16> A({m, k}), W({n, k}), R({m, n}), C({m, n});
  std::vector<bf16> bias(n, bf16(0.5f));
  A.fill(1), W.fill(2), R.fill(3);
  run_on_schedules<Residual>(2, C, A.in(), W.in(), tensor(static_cast<const bf16*>(bias.data()), n), R.in(), C.view());
  check_close(C, bf16_close, [&](int i, int j) { return std::max(0.0, dot(A, W, i, j) + 0.5) + R.number(i, j); });
}

}  // namespace sectile::test
