// fault: a tensor without memory
// caught: launch
// expect: operand B: the pointer is null
#include "running/running.hpp"

namespace null_pointer {

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64), C(128, 64);
  run_on_model<product>(A.in(), matrix<const bf16>(nullptr, 64, 64), C.view());
});

}  // namespace null_pointer
