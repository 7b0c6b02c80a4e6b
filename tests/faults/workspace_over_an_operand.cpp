// fault: a workspace in the memory of an output
// caught: launch
// expect: share memory; it is written to while tiles are loaded, so it needs memory of its own
#include "running/in_parts.hpp"

namespace workspace_over_an_operand {

const running_case here([] {
  operands_in_parts o;
  host_workspace both(o.memory.view().bytes);
  auto* const within = static_cast<bf16*>(both.view().data) + 1024;
  run_on_model<in_parts>(o.A.in(), o.B.in(), matrix(within, 200, 136), both.view());
});

}  // namespace workspace_over_an_operand
