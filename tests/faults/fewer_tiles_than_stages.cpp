// fault: fewer tiles than stages: the producer fills every stage first, whatever the trip count is
// reported: tilelang#2567
// caught: compile time
// expect: stage 1 of A is not released as often as it is filled: fills 1, releases 0, when an output tile is done
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr int trips(int position, int asked) const {
    const int n = Machine::trips(position, asked);
    return this->thread() == 0 && n < 2 ? 2 : n;
  }
};
static_assert(verified<on_machine<product, faulty>>);
