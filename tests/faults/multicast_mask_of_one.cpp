// fault: a multicast mask that leaves a CTA of the cluster out
// reported: DeepGEMM#415
// caught: compile time
// expect: a consumer of CTA 1 waits for stage 0 of A, whose barrier expects 24576 bytes; 8192 of them never come
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
