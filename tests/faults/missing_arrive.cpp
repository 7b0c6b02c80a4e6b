// fault: a missing arrive: consumers never give a stage back
// reported: tilelang#2566
// caught: compile time
// expect: stage 0 of A is not released as often as it is filled: fills 1, releases 0, when an output tile is done
// expect-clang: refused_because<sectile::rule::protocol_deadlocks, 0, 1, 0>
// expect-nvcc: refused_because<sectile::rule::protocol_deadlocks, 0LL, 1LL, 0LL>
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_arrive(std::uint32_t) {}
};
static_assert(verified<on_machine<product, faulty>>);
