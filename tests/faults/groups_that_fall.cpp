// fault: ends of groups that fall
// caught: model
// expect: ends[1] = 40, where the group begins at 100; ends of groups do not fall
#include "running/running.hpp"

namespace groups_that_fall {

const running_case here([] {
  host_matrix<bf16> X(128, 64), W(2 * 64, 64), Y(128, 64);
  const s32 ends[]{100, 40};
  run_on_model<grouped_product>(X.in(), tensor<const bf16>(W.value.data(), 2, 64, 64), tensor(ends, 2), Y.view());
});

}  // namespace groups_that_fall
