// fault: room for two trips, and the loop makes five
// caught: launch
// expect: operand P: with these sizes and scalars number 3 along T is stored, of 2, which are counted from 0
#include "running/running.hpp"

namespace trips_beyond_the_last_number {

const running_case here([] {
  host_matrix<bf16> A(200, 312), B(136, 312), C(200, 136), room(400, 136);
  run_on_model<product_of_trips>(A.in(), B.in(), tensor(room.value.data(), 2, 200, 136), C.view());
});

}  // namespace trips_beyond_the_last_number
