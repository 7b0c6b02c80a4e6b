// fault: more rows of a group than it has room for
// caught: model
// expect: counts[1] = 65: a group along T has room for 64 rows
#include "running/running.hpp"

namespace groups_beyond_their_rooms {

const running_case here([] {
  host_matrix<bf16> X(128, 64), W(2 * 64, 64), Y(128, 64);
  const s32 counts[]{64, 65};
  run_on_model<product_in_rooms>(X.in(), tensor<const bf16>(W.value.data(), 2, 64, 64), tensor(counts, 2), Y.view());
});

}  // namespace groups_beyond_their_rooms
