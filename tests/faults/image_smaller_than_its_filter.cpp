// fault: a filter that is longer than the image and its padding
// caught: launch
// expect: operand X: along H a filter of 11 reaches over 11 pixels, the image and its padding have 8
#include "running/running.hpp"

namespace image_smaller_than_its_filter {

const running_case here([] {
  host_matrix<bf16> X(64, 64), W(64 * 9, 64), Y(64, 64);
  run_on_model<convolved>(im2col(tensor<const bf16>(X.value.data(), 1, 8, 8, 64), {.filter = {11, 3}}),
                          filters(tensor<const bf16>(W.value.data(), 64, 3, 3, 64)), Y.view());
});

}  // namespace image_smaller_than_its_filter
