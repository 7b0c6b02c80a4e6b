// fault: sums of columns of what has a bias, which rows beyond the edge have as well
// caught: model
// expect: along M, of which there are 100
#include "running/running.hpp"

namespace column_sum_of_a_bias {

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc += 1.0f;
    sm.store(C, {m, n}, acc - col_sum(acc));
  }
};
static_assert(verified<kernel>);

const running_case here([] {
  host_matrix<bf16> A(100, 64), B(64, 64), C(100, 64);
  run_on_model<kernel>(A.in(), B.in(), C.view());
});

}  // namespace column_sum_of_a_bias
