// fault: sums of other CTAs that are read by consumers that nobody has told of the ticket
// caught: compile time
// expect: consumer 1 reads sums in the workspace without knowing of the ticket that says they are there
#include "fault.hpp"

struct split_product : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 12};
};
template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr bool named_barrier_any(int, int, bool) { return this->comes_last; }
};
static_assert(verified<on_machine<split_product, faulty>>);
