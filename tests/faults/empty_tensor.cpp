// fault: a matrix without rows
// caught: launch
// expect: operand A: M = 0: every size must be at least 1
#include "running/running.hpp"

namespace empty_tensor {

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64), C(128, 64);
  run_on_model<product>(matrix<const bf16>(A.value.data(), 0, 64), B.in(), matrix(C.value.data(), 0, 64));
});

}  // namespace empty_tensor
