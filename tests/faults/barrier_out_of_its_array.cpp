// fault: a barrier behind the end of the array of barriers
// reported: DeepGEMM#121, DeepGEMM#237
// caught: compile time
// expect: of shared memory, which is no barrier, stage or epilogue buffer of the plan
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_init(std::uint32_t barrier, int arrivals) { Machine::mbarrier_init(barrier + 32, arrivals); }
};
static_assert(verified<on_machine<product, faulty>>);
