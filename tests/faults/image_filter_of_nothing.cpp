// fault: a filter of no elements
// caught: launch
// expect: operand X: along W a filter of 0 with a dilation of 1 and a padding of 0; the first two are at least 1, the padding at least 0
#include "running/running.hpp"

namespace image_filter_of_nothing {

const running_case here([] {
  host_matrix<bf16> X(64, 64), W(64 * 9, 64), Y(64, 64);
  run_on_model<convolved>(im2col(tensor<const bf16>(X.value.data(), 1, 8, 8, 64), {.filter = {3, 0}}),
                          filters(tensor<const bf16>(W.value.data(), 64, 3, 3, 64)), Y.view());
});

}  // namespace image_filter_of_nothing
