// fault: a kernel that adds tiles up in order, launched without a workspace
// caught: launch
// expect: workspace: the tiles that are summed into of_col need 2560 bytes to meet in, and the launch was given none; pass workspace(pointer, bytes) behind the operands
#include "running/in_order.hpp"

namespace workspace_for_sums_missing {

const running_case here([] {
  operands_in_order<> o;
  run_on_model<in_order>(o.A.in(), o.B.in(), o.C.view(), o.sums);
});

}  // namespace workspace_for_sums_missing
