// fault: an output for another padding than the image is read with
// caught: launch
// expect: operand Y: M = 64, but operand X has M = 36
#include "running/running.hpp"

namespace image_of_other_pixels {

const running_case here([] {
  host_matrix<bf16> X(64, 64), W(64 * 9, 64), Y(64, 64);
  run_on_model<convolved>(im2col(tensor<const bf16>(X.value.data(), 1, 8, 8, 64), {.filter = {3, 3}}),
                          filters(tensor<const bf16>(W.value.data(), 64, 3, 3, 64)), Y.view());
});

}  // namespace image_of_other_pixels
