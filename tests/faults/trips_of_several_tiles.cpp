// fault: what trips store lacks a mode along which there are several tiles
// caught: launch
// expect: operand P: N = 136 takes 3 tiles of 64, whose trips would store the same tiles
#include "running/running.hpp"

namespace trips_of_several_tiles {

const running_case here([] {
  host_matrix<bf16> A(200, 312), B(136, 312), C(200, 136), P(200, 312);
  run_on_model<product_of_a_kept_factor>(A.in(), B.in(), P.view(), C.view());
});

}  // namespace trips_of_several_tiles
