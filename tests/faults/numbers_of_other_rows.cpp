// fault: lanes of one row exchange its numbers with those of another
// caught: model
// expect: when they are joined by their places
#include "running/with_sums.hpp"

namespace numbers_of_other_rows {

template <class Machine>
struct spoiled : wrong<Machine> {
  using wrong<Machine>::wrong;
  float shuffle_xor(float x, int lanes) { return wrong<Machine>::shuffle_xor(x, lanes == 2 ? 4 : lanes); }
};

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64);
  host_matrix<float> C(128, 64);
  vectors_of_sums v;
  run_on_model<on_machine<with_sums, spoiled>>(A.in(), B.in(), C.view(), v.sums, v.least, v.most);
});

}  // namespace numbers_of_other_rows
