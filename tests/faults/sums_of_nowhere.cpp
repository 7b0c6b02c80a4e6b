// fault: sums of columns at a null pointer
// caught: launch
// expect: operand sums: the pointer is null
#include "running/with_sums.hpp"

namespace sums_of_nowhere {

const running_case here([] {
  run_with_sums(64, [](vectors_of_sums& v, host_matrix<float>&) { v.sums.data = nullptr; });
});

}  // namespace sums_of_nowhere
