// fault: rows that are no rooms of as many rows each
// caught: launch
// expect: operand X: T = 128 rows are no rooms of as many rows each for the 3 groups of operand counts
#include "running/running.hpp"

namespace groups_without_rooms {

const running_case here([] {
  host_matrix<bf16> X(128, 64), W(3 * 64, 64), Y(128, 64);
  const s32 counts[]{1, 2, 3};
  run_on_model<product_in_rooms>(X.in(), tensor<const bf16>(W.value.data(), 3, 64, 64), tensor(counts, 3), Y.view());
});

}  // namespace groups_without_rooms
