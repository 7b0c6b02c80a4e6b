// fault: tiles of groups that are drawn from a counter which begins again while there are more
// caught: model
// expect: cluster 0 closes the counter of drawn work, whose last number is
#include "running/groups.hpp"

namespace drawn_groups_closed_too_soon {

template <class Machine>
struct closes : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr int number_drawn(const sectile::ticket_counters& of, int counter, std::uint64_t found, int tickets) {
    const int number = wrong<Machine>::number_drawn(of, counter, found, tickets);
    this->close_draws(of, counter);
    return number;
  }
};

const running_case here([] { groups_to_draw().run<closes>(); });

}  // namespace drawn_groups_closed_too_soon
