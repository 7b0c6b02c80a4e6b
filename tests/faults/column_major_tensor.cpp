// fault: a column-major tensor for a row-major operand
// caught: launch
// expect: operand A: K must be contiguous (stride 1), its stride is 128
#include "running/running.hpp"

namespace column_major_tensor {

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64), C(128, 64);
  run_on_model<product>(matrix_col_major<const bf16>(A.value.data(), 128, 64), B.in(), C.view());
});

}  // namespace column_major_tensor
