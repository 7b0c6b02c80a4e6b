// fault: an output of more rows than all have summands
// caught: launch
// expect: operand C: its 4 rows are named by 6 numbers of place; each row is the sum of as many rows that are stored: give a multiple of 4
#include "running/scattered.hpp"

namespace scattered_rows_that_are_no_multiple {

const running_case here([] {
  scattered_operands o;
  host_matrix<bf16> more(4, 64);
  run_on_model<scattered_product>(o.A.in(), tensor(o.place, 6), o.B.in(), more.view(), o.room.view());
});

}  // namespace scattered_rows_that_are_no_multiple
