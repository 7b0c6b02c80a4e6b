// fault: a bias of which every second element counts
// caught: launch
// expect: operand bias: the stride of N is 2 elements; the last mode of a vector is contiguous (stride 1)
#include "running/with_bias.hpp"

namespace vector_with_gaps {

const running_case here([] {
  static const float numbers[128]{};
  run_with_bias([](float*) { return tensor_view<const float>{numbers, 1, {64}, {2}}; });
});

}  // namespace vector_with_gaps
