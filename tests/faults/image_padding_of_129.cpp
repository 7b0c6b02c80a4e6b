// fault: more padding than TMA has numbers for
// caught: launch
// expect: operand X: along H the padding is 129; TMA takes up to 128
#include "running/running.hpp"

namespace image_padding_of_129 {

const running_case here([] {
  host_matrix<bf16> X(64, 64), W(64 * 9, 64), Y(64, 64);
  run_on_model<convolved>(
      im2col(tensor<const bf16>(X.value.data(), 1, 8, 8, 64), {.filter = {3, 3}, .padding = {129, 1}}),
      filters(tensor<const bf16>(W.value.data(), 64, 3, 3, 64)), Y.view());
});

}  // namespace image_padding_of_129
