// fault: sums of columns in the last row of the output
// caught: launch
// expect: share memory; each output needs memory of its own
#include "running/with_sums.hpp"

namespace sums_inside_the_output {

const running_case here([] {
  run_with_sums(64, [](vectors_of_sums& v, host_matrix<float>& C) { v.sums = tensor(C.value.data() + 127 * 64, 64); });
});

}  // namespace sums_inside_the_output
