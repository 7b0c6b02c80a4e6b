// fault: a matrix for each group, where their rows follow each other in one
// caught: launch
// expect: operand X: the tensor has 3 modes, but T is cut into groups, E of them, which are given as one matrix
#include "running/running.hpp"

namespace groups_apart {

const running_case here([] {
  host_matrix<bf16> X(128, 64), W(2 * 64, 64), Y(128, 64);
  const s32 ends[]{64, 128};
  run_on_model<grouped_product>(tensor<const bf16>(X.value.data(), 2, 64, 64),
                                tensor<const bf16>(W.value.data(), 2, 64, 64), tensor(ends, 2), Y.view());
});

}  // namespace groups_apart
