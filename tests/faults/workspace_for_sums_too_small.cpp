// fault: a workspace for the parts of a split, where tiles are added up in order as well
// caught: launch
// expect: workspace: the 12 parts of a tile and the tiles that are summed into of_col need
#include "running/in_order.hpp"

namespace workspace_for_sums_too_small {

const running_case here([] {
  operands_in_order<in_order_and_parts> o;
  o.run(workspace(o.room.view().data, 9 * 12 * 128 * 64 * 4));
});

}  // namespace workspace_for_sums_too_small
