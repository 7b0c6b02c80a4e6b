// fault: two outputs in the same memory
// caught: launch
// expect: share memory; each output needs memory of its own
#include "running/running.hpp"

namespace outputs_share_memory {

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64), C(128, 64);
  host_matrix<float> Z(128, 64);
  run_on_model<kept_product>(A.in(), B.in(), Z.view(), matrix(reinterpret_cast<bf16*>(Z.value.data()), 128, 64));
});

}  // namespace outputs_share_memory
