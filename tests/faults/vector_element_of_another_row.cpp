// fault: a row's element of a vector becomes another number than the row's
// caught: model
// expect: of most becomes another number than the body stores there
#include "running/with_sums.hpp"

namespace vector_element_of_another_row {

template <class Machine>
struct spoiled : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <int Bytes>
  void store_global(void* to, std::uint32_t x, bool there) {
    wrong<Machine>::template store_global<Bytes>(to, x ^ 1u, there);
  }
};

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64);
  host_matrix<float> C(128, 64);
  vectors_of_sums v;
  run_on_model<on_machine<with_sums, spoiled>>(A.in(), B.in(), C.view(), v.sums, v.least, v.most);
});

}  // namespace vector_element_of_another_row
