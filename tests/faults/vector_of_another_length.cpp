// fault: a bias of 63 elements for 64 columns
// caught: launch
// expect: operand bias: N = 63, but operand B has N = 64
#include "running/with_bias.hpp"

namespace vector_of_another_length {

const running_case here([] {
  static const float numbers[64]{};
  run_with_bias([](float*) { return tensor(numbers, 63); });
});

}  // namespace vector_of_another_length
