// fault: an index of a row that the matrix does not have
// caught: model
// expect: an element of row is 10, as producer
#include "running/running.hpp"

namespace gathered_row_that_is_not_there {

const running_case here([] {
  host_matrix<bf16> A(10, 64), B(64, 64), C(3, 64);
  const s32 row[]{0, 10, 1};
  run_on_model<gathered_product>(A.in(), tensor(row, 3), B.in(), C.view());
});

}  // namespace gathered_row_that_is_not_there
