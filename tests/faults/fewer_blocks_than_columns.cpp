// fault: scales of blocks of 64, where a kernel takes them of blocks of 48
// caught: launch
// expect: operand SB: N/48 = 2, but operand B has N = 128, which are 3 blocks of 48
#include "running/running.hpp"

namespace fewer_blocks_than_columns {

const running_case here([] {
  host_matrix<bf16> A(128, 256), B(128, 256), C(128, 128);
  const std::vector<float> scales(2 * 4, 1.0f);
  run_on_model<product_with_squares>(A.in(), B.in(), tensor(scales.data(), 2, 4), C.view());
});

}  // namespace fewer_blocks_than_columns
