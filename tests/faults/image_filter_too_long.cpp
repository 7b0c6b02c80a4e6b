// fault: a filter that reaches further than TMA has numbers for
// caught: launch
// expect: operand X: along W a filter of 3 with a dilation of 100 reaches 200 pixels behind its first, with a padding of 1; TMA takes a reach of 0 to 129 then
#include "running/running.hpp"

namespace image_filter_too_long {

const running_case here([] {
  host_matrix<bf16> X(64, 64), W(64 * 9, 64), Y(64, 64);
  run_on_model<convolved>(im2col(tensor<const bf16>(X.value.data(), 1, 8, 8, 64),
                                 {.filter = {3, 3}, .padding = {1, 1}, .dilation = {1, 100}}),
                          filters(tensor<const bf16>(W.value.data(), 64, 3, 3, 64)), Y.view());
});

}  // namespace image_filter_too_long
