// fault: sums of 64 columns into a vector of 63
// caught: launch
// expect: operand sums: N = 63, but operand B has N = 64
#include "running/with_sums.hpp"

namespace sums_of_another_length {

const running_case here([] {
  run_with_sums(64, [](vectors_of_sums& v, host_matrix<float>&) { v.sums = tensor(v.memory.data(), 63); });
});

}  // namespace sums_of_another_length
