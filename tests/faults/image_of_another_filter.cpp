// fault: filters of another size than the image is read with
// caught: launch
// expect: operand W: T = 9, but operand X has T = 1
#include "running/running.hpp"

namespace image_of_another_filter {

const running_case here([] {
  host_matrix<bf16> X(64, 64), W(64 * 9, 64), Y(64, 64);
  run_on_model<convolved>(im2col(tensor<const bf16>(X.value.data(), 1, 8, 8, 64), {}),
                          filters(tensor<const bf16>(W.value.data(), 64, 3, 3, 64)), Y.view());
});

}  // namespace image_of_another_filter
