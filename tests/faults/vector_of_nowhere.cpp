// fault: a bias at a null pointer
// caught: launch
// expect: operand bias: the pointer is null
#include "running/with_bias.hpp"

namespace vector_of_nowhere {

const running_case here([] {
  run_with_bias([](float*) { return tensor(static_cast<const float*>(nullptr), 64); });
});

}  // namespace vector_of_nowhere
