// fault: a workspace that begins within 16 bytes
// caught: launch
// expect: workspace: the pointer is not aligned to 16 bytes (it is 8 bytes off)
#include "running/in_parts.hpp"

namespace workspace_not_aligned {

const running_case here([] {
  operands_in_parts o;
  host_workspace more(o.memory.view().bytes + 16);
  o.run(workspace(static_cast<std::byte*>(more.view().data) + 8, more.view().bytes - 8));
});

}  // namespace workspace_not_aligned
