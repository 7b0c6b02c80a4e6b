// fault: an image and a filter in place of a matrix
// caught: compile time
// expect: argument 1: operand A is a tensor: pass a tensor_view (matrix(...), tensor(...))
#include "running/running.hpp"

void launch(const bf16* A, host_matrix<bf16>& B, host_matrix<bf16>& C) {
  run_on_model<product>(im2col(tensor(A, 1, 8, 8, 64), {.filter = {3, 3}}), B.in(), C.view());
}
