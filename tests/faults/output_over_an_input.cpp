// fault: an output in the memory of an input: tiles are stored while others are still loaded
// caught: launch
// expect: share memory; tiles are stored while others are still loaded, so the output needs memory of its own
#include "running/running.hpp"

namespace output_over_an_input {

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64);
  run_on_model<product>(A.in(), B.in(), matrix(A.value.data(), 128, 64));
});

}  // namespace output_over_an_input
