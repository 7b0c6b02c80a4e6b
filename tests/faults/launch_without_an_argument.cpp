// fault: a launch with an argument missing
// caught: compile time
// expect: a kernel is launched with one argument per operand: 3, not 2
#include "running/running.hpp"

void launch(host_matrix<bf16>& A, host_matrix<bf16>& C) { run_on_model<product>(A.in(), C.view()); }
