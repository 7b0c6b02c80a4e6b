// fault: more tiles than a launch can count
// caught: launch
// expect: a launch takes up to
#include "running/running.hpp"

namespace more_tiles_than_a_grid {

const running_case here([] {
  host_matrix<bf16> A(128, 64), C(128, 64);
  const std::int64_t rows = 16'000'000;
  run_on_model<product>(matrix<const bf16>(A.value.data(), rows, 64), matrix<const bf16>(A.value.data(), rows, 64),
                        matrix(C.value.data(), rows, rows));
});

}  // namespace more_tiles_than_a_grid
