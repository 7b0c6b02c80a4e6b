// fault: a tensor of another element type than the operand
// caught: compile time
// expect: argument 1: operand A has elements of bf16, the tensor's element type f32 is not the operand's; convert the tensor first
#include "running/running.hpp"

void launch(host_matrix<float>& A, host_matrix<bf16>& B, host_matrix<bf16>& C) {
  run_on_model<product>(A.in(), B.in(), C.view());
}
