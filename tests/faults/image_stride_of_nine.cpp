// fault: a filter that goes over the image in steps of nine pixels
// caught: launch
// expect: operand X: along W the stride is 9; TMA takes 1 to 8
#include "running/running.hpp"

namespace image_stride_of_nine {

const running_case here([] {
  host_matrix<bf16> X(64, 64), W(64 * 9, 64), Y(64, 64);
  run_on_model<convolved>(
      im2col(tensor<const bf16>(X.value.data(), 1, 8, 8, 64), {.filter = {3, 3}, .stride = {1, 9}, .padding = {1, 1}}),
      filters(tensor<const bf16>(W.value.data(), 64, 3, 3, 64)), Y.view());
});

}  // namespace image_stride_of_nine
