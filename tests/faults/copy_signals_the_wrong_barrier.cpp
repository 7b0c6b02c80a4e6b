// fault: a copy that signals the barrier of the next stage
// reported: cutlass#2365
// caught: compile time
// expect: stage 0 of A is filled by copies that signal different barriers
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <int Rank>
  constexpr void tma_load(std::uint32_t to, const typename Machine::tensor_map& map, std::uint32_t barrier,
                          const int (&at)[Rank]) {
    Machine::tma_load(to, map, barrier + (to == 0 ? 8 : 0), at);
  }
};
static_assert(verified<on_machine<product, faulty>>);
