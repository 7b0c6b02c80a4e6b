// fault: a bias that is passed as a matrix of one row
// caught: launch
// expect: operand bias: the tensor has 2 modes, the kernel expects 1
#include "running/with_bias.hpp"

namespace vector_given_as_a_matrix {

const running_case here([] {
  static const float numbers[64]{};
  run_with_bias([](float*) { return matrix(numbers, 1, 64); });
});

}  // namespace vector_given_as_a_matrix
