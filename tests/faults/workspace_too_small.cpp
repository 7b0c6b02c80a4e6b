// fault: a workspace for fewer tiles than the output has
// caught: launch
// expect: workspace: the 12 parts of a tile need 2359424 bytes to meet in, and it has 786560
#include "running/in_parts.hpp"

namespace workspace_too_small {

const running_case here([] {
  operands_in_parts o;
  const std::size_t of_two_tiles =
      workspace_bytes<in_parts>(o.A.in(), o.B.in(), matrix(o.C.value.data(), 200, 64, 136));
  o.run(workspace(o.memory.view().data, of_two_tiles));
});

}  // namespace workspace_too_small
