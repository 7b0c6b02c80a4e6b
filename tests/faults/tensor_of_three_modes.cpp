// fault: a batch of matrices for a kernel of one
// caught: launch
// expect: operand A: the tensor has 3 modes, the kernel expects 2
#include "running/running.hpp"

namespace tensor_of_three_modes {

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64), C(128, 64);
  run_on_model<product>(tensor<const bf16>(A.value.data(), 2, 64, 64), B.in(), C.view());
});

}  // namespace tensor_of_three_modes
