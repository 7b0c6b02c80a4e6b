// fault: an int overflow in coordinates: a matrix of 2^31 rows
// caught: launch
// expect: TMA coordinates are 32-bit
#include "running/running.hpp"

namespace coordinates_overflow {

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64), C(128, 64);
  const std::int64_t rows = std::int64_t{1} << 31;
  run_on_model<product>(matrix<const bf16>(A.value.data(), rows, 64), B.in(), matrix(C.value.data(), rows, 64));
});

}  // namespace coordinates_overflow
