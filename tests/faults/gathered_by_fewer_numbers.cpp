// fault: an index of fewer numbers than the result has rows
// caught: launch
// expect: operand C: M = 4, but operand row has M = 3
#include "running/running.hpp"

namespace gathered_by_fewer_numbers {

const running_case here([] {
  host_matrix<bf16> A(10, 64), B(64, 64), C(4, 64);
  const s32 row[]{0, 9, 1};
  run_on_model<gathered_product>(A.in(), tensor(row, 3), B.in(), C.view());
});

}  // namespace gathered_by_fewer_numbers
