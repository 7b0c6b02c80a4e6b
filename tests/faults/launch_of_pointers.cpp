// fault: a launch with a bare pointer, whose size nobody knows
// caught: compile time
// expect: argument 1: operand A is a tensor: pass a tensor_view (matrix(...), tensor(...))
#include "running/running.hpp"

void launch(const bf16* A, host_matrix<bf16>& B, host_matrix<bf16>& C) { run_on_model<product>(A, B.in(), C.view()); }
