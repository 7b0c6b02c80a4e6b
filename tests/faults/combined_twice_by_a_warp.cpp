// fault: a warp combines what it has with an element twice
// caught: model
// expect: is combined with the numbers of its warp a second time
#include "running/with_sums.hpp"

namespace combined_twice_by_a_warp {

template <class Machine>
struct spoiled : wrong<Machine> {
  using wrong<Machine>::wrong;
  void reduce_add(float* to, float x, bool there) {
    wrong<Machine>::reduce_add(to, x, there);
    wrong<Machine>::reduce_add(to, x, there);
  }
};

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64);
  host_matrix<float> C(128, 64);
  vectors_of_sums v;
  run_on_model<on_machine<with_sums, spoiled>>(A.in(), B.in(), C.view(), v.sums, v.least, v.most);
});

}  // namespace combined_twice_by_a_warp
