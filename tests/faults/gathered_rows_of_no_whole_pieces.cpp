// fault: gathered rows that are no whole pieces of 16 bytes
// caught: launch
// expect: operand A: K = 60 elements of bf16 are no whole pieces of 16 bytes, in which rows that are picked come; pad it to 64 with zeros
#include "running/running.hpp"

namespace gathered_rows_of_no_whole_pieces {

const running_case here([] {
  host_matrix<bf16> A(10, 64), B(64, 64), C(3, 64);
  const s32 row[]{0, 9, 1};
  run_on_model<gathered_product>(matrix<const bf16>(A.value.data(), 10, 60, 64), tensor(row, 3),
                                 matrix<const bf16>(B.value.data(), 64, 60, 64), C.view());
});

}  // namespace gathered_rows_of_no_whole_pieces
