// fault: a warp that leaves out every other row's number
// caught: model
// expect: least: 64 of its 128 elements are never written; of tile (0, 0), the first of which some are missing, row 0, columns 1 to 127
#include "running/with_sums.hpp"

namespace vector_element_never_stored {

template <class Machine>
struct spoiled : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <int Bytes>
  void store_global(void* to, std::uint32_t x, bool there) {
    const bool odd = reinterpret_cast<std::uintptr_t>(to) / Bytes % 2 != 0;
    wrong<Machine>::template store_global<Bytes>(to, x, there && !odd);
  }
};

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64);
  host_matrix<float> C(128, 64);
  vectors_of_sums v;
  run_on_model<on_machine<with_sums, spoiled>>(A.in(), B.in(), C.view(), v.sums, v.least, v.most);
});

}  // namespace vector_element_never_stored
