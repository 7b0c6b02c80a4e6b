// fault: a tensor of more tiles than the body names
// caught: launch
// expect: operand A: K = 72 is larger than the tile's 64, and the kernel takes one tile along it
#include "running/running.hpp"

namespace rest_of_a_tensor {

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    sm.store(C, {m, n}, sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0}))));
  }
};

const running_case here([] {
  host_matrix<bf16> A(128, 72), B(64, 72), C(128, 64);
  run_on_model<kernel>(A.in(), B.in(), C.view());
});

}  // namespace rest_of_a_tensor
