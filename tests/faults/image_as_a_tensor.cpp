// fault: a launch that does not say how the filter goes over the image
// caught: compile time
// expect: argument 1: operand X is an image that a filter goes over: pass an im2col_view, im2col(tensor(x, N, H, W, C), {.filter = {3, 3}})
#include "running/running.hpp"

void launch(const bf16* X, host_matrix<bf16>& W, host_matrix<bf16>& Y) {
  run_on_model<convolved>(tensor(X, 1, 8, 8, 64), filters(tensor<const bf16>(W.value.data(), 64, 3, 3, 64)), Y.view());
}
