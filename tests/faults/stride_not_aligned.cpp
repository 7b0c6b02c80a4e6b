// fault: rows that are not a multiple of 16 bytes apart
// reported: triton#7385
// caught: launch
// expect: operand A: the stride of M is 60 elements, 120 bytes: not a multiple of 16 bytes, as TMA needs; pad it to 64 elements
#include "running/running.hpp"

namespace stride_not_aligned {

const running_case here([] {
  host_matrix<bf16> A(128, 60), B(64, 60), C(128, 64);
  run_on_model<product>(A.in(), B.in(), C.view());
});

}  // namespace stride_not_aligned
