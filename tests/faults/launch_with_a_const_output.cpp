// fault: a launch that would write to constant memory
// caught: compile time
// expect: argument 3: operand C is an output; an output tensor must not be const
#include "running/running.hpp"

void launch(host_matrix<bf16>& A, host_matrix<bf16>& B, host_matrix<bf16>& C) {
  run_on_model<product>(A.in(), B.in(), C.in());
}
