// fault: an output whose rows overlap: tiles overwrite each other
// caught: launch
// expect: an output's elements must not overlap
#include "running/running.hpp"

namespace rows_of_the_output_overlap {

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64), C(128, 64);
  run_on_model<product>(A.in(), B.in(), matrix(C.value.data(), 120, 64, 32));
});

}  // namespace rows_of_the_output_overlap
