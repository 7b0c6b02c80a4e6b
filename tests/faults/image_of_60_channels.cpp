// fault: pixels whose channels are no multiple of 16 bytes
// caught: launch
// expect: operand X: the stride of W is 60 elements, 120 bytes: not a multiple of 16 bytes, as TMA needs; pad it to 64 elements
#include "running/running.hpp"

namespace image_of_60_channels {

const running_case here([] {
  host_matrix<bf16> X(64, 60), W(64 * 9, 60), Y(64, 64);
  run_on_model<convolved>(
      im2col(tensor<const bf16>(X.value.data(), 1, 8, 8, 60), {.filter = {3, 3}, .padding = {1, 1}}),
      filters(tensor<const bf16>(W.value.data(), 64, 3, 3, 60)), Y.view());
});

}  // namespace image_of_60_channels
