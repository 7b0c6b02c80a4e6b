// fault: a producer that reads one pixel beside the one that the filter meets
// caught: compile time
// expect: operand X: CTA 0 copies the box at 0,
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void tma_load_im2col(std::uint32_t to, const typename Machine::tensor_map& map, std::uint32_t barrier,
                                 const int (&at)[4], const std::uint16_t (&offset)[2]) {
    const std::uint16_t beside[]{static_cast<std::uint16_t>(offset[0] + 1), offset[1]};
    Machine::tma_load_im2col(to, map, barrier, at, beside);
  }
};
static_assert(verified<on_machine<convolved, faulty>>);
