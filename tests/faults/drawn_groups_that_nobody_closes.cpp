// fault: tiles of groups that are drawn from a counter which does not begin again behind the last
// caught: model
// expect: the counter of drawn work stands at 6 when all clusters are done: of 6 work items, each draws a number once
#include "running/groups.hpp"

namespace drawn_groups_that_nobody_closes {

template <class Machine>
struct leaves : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void close_draws(const sectile::ticket_counters&, int) {}
};

const running_case here([] { groups_to_draw().run<leaves>(); });

}  // namespace drawn_groups_that_nobody_closes
