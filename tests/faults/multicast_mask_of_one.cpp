// fault: a multicast mask that leaves a CTA of the cluster out
// reported: DeepGEMM#415
// caught: compile time
// expect: operand B: box 0 of the 2 that make a tile is copied 0 times into a stage of CTA 1
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <int Rank>
  constexpr void tma_load_multicast(std::uint32_t to, const typename Machine::tensor_map& map, std::uint32_t barrier,
                                    const int (&at)[Rank], std::uint16_t ctas) {
    Machine::tma_load_multicast(to, map, barrier, at, ctas & 1);
  }
};
static_assert(verified<on_machine<shared_product, faulty>>);
