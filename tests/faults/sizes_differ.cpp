// fault: a mode that has two sizes
// caught: launch
// expect: operand B: K = 128, but operand A has K = 64
#include "running/running.hpp"

namespace sizes_differ {

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 128), C(128, 64);
  run_on_model<product>(A.in(), B.in(), C.view());
});

}  // namespace sizes_differ
