// fault: a kernel whose parts meet in a workspace, launched without one
// caught: launch
// expect: and the launch was given none; pass workspace(pointer, bytes) behind the operands
#include "running/in_parts.hpp"

namespace workspace_missing {

const running_case here([] {
  operands_in_parts o;
  run_on_model<in_parts>(o.A.in(), o.B.in(), o.C.view());
});

}  // namespace workspace_missing
