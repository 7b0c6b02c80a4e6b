// fault: all four lanes of a row store its number
// caught: model
// expect: both write element (0) of most: nothing says whose value stays
#include "running/with_sums.hpp"

namespace vector_element_stored_by_all_lanes {

template <class Machine>
struct spoiled : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <int Bytes>
  void store_global(void* to, std::uint32_t x, bool) {
    wrong<Machine>::template store_global<Bytes>(to, x, true);
  }
};

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64);
  host_matrix<float> C(128, 64);
  vectors_of_sums v;
  run_on_model<on_machine<with_sums, spoiled>>(A.in(), B.in(), C.view(), v.sums, v.least, v.most);
});

}  // namespace vector_element_stored_by_all_lanes
