// fault: a scattered output without the workspace that its summands meet in
// caught: launch
// expect: workspace: the tiles that are summed into C need
#include "running/scattered.hpp"

namespace scattered_without_room {

const running_case here([] {
  scattered_operands o;
  run_on_model<scattered_product>(o.A.in(), tensor(o.place, 6), o.B.in(), o.C.view(), workspace{});
});

}  // namespace scattered_without_room
