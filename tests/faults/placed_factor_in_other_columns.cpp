// fault: a left factor of which stmatrix writes 16 bytes to where others belong
// caught: compile time
// expect: a left factor in registers: row 0, column 0 is not written where the product takes it from
#include "fault.hpp"

static_assert(verified<turned_chain>);

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <class Words>
  constexpr void stmatrix_x4_trans(std::uint32_t to, const Words& words) {
    Machine::stmatrix_x4_trans(to ^ 16, words);
  }
};
static_assert(verified<on_machine<turned_chain, faulty>>);
