// fault: a softmax whose tile is wider than the matrix, and no mask: what is not there counts as exp(0 - max)
// caught: model
// expect: along N, of which there are 40
#include "running/running.hpp"

namespace softmax_without_mask {

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc = exp((acc - row_max(acc)) * 0.001f);
    acc *= reciprocal(row_sum(acc));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(40, 64), C(128, 40);
  run_on_model<kernel>(A.in(), B.in(), C.view());
});

}  // namespace softmax_without_mask
