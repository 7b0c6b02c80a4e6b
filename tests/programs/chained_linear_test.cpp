// The layer of kernels/chained_linear.hpp on the model, against float64 with the first product rounded.
#include <sectile/kernels/chained_linear.hpp>

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

template <class T>
void check_chained(int m, int n, int k, int between, double close) {
  CAPTURE(m);
  CAPTURE(between);
  host_tensor<T> A({m, k}), W({between, k}), V({n, between}), C({m, n});
  A.fill(1), W.fill(2), V.fill(3);
  run_on_schedules<kernels::chained_linear<T>>(2, C, A.in(), W.in(), V.in(), C.view());
  numbers first{m, between, {}};
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < between; ++l) {
      double sum = 0;
      for (int x = 0; x < k; ++x) sum += A.number(i, x) * W.number(l, x);
      first.at.push_back(static_cast<double>(static_cast<float>(T(static_cast<float>(sum)))));
    }
  check_close(C, close, [&](int i, int j) {
    double sum = 0;
    for (int l = 0; l < between; ++l) sum += first(i, l) * V.number(j, l);
    return sum;
  });
}

}  // namespace

TEST_CASE("two layers, chained: many tiles along every mode") { check_chained<bf16>(300, 136, 72, 290, bf16_close); }
TEST_CASE("two layers, chained: less than a tile of each") { check_chained<bf16>(5, 9, 7, 11, bf16_close); }
TEST_CASE("two layers, chained: one tile of the first product's sums") {
  check_chained<bf16>(128, 128, 64, 128, bf16_close);
}
TEST_CASE("two layers, chained: f16") {
  if constexpr (exhaustively) check_chained<f16>(200, 130, 130, 140, 0x1p-10);
}
