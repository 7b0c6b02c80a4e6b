// fault: a bias that is a row of the output
// caught: launch
// expect: share memory; tiles are stored while others are still loaded, so the output needs memory of its own
#include "running/with_bias.hpp"

namespace vector_inside_the_output {

const running_case here([] {
  run_with_bias([](float* c) { return tensor(static_cast<const float*>(c) + 64, 64); });
});

}  // namespace vector_inside_the_output
