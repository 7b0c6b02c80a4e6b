// fault: sums that are added where no vector is
// caught: model
// expect: which belongs to no vector that the kernel combines into
#include "running/with_sums.hpp"

namespace vector_element_of_nowhere {

template <class Machine>
struct spoiled : wrong<Machine> {
  using wrong<Machine>::wrong;
  void reduce_add(float* to, float x, bool there) { wrong<Machine>::reduce_add(to + 900, x, there); }
};

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64);
  host_matrix<float> C(128, 64);
  vectors_of_sums v;
  run_on_model<on_machine<with_sums, spoiled>>(A.in(), B.in(), C.view(), v.sums, v.least, v.most);
});

}  // namespace vector_element_of_nowhere
