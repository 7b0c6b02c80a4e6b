// fault: a tensor whose address is not aligned to the 16 bytes that TMA needs
// reported: triton#7385
// caught: launch
// expect: operand A: the pointer is not aligned to 16 bytes, as TMA needs (it is 2 bytes off)
#include "running/running.hpp"

namespace pointer_not_aligned {

const running_case here([] {
  host_matrix<bf16> A(129, 64), B(64, 64), C(128, 64);
  run_on_model<product>(matrix<const bf16>(A.value.data() + 1, 128, 64), B.in(), C.view());
});

}  // namespace pointer_not_aligned
