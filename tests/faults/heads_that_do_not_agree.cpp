// fault: heads of keys for another number of groups of query heads
// caught: launch
// expect: operand K: G = 3, but operand Q has G = 2
#include <sectile/kernels/attention.hpp>

#include "running/running.hpp"

namespace heads_that_do_not_agree {

using kernel = sectile::kernels::attention_of<sectile::kernels::attention_form{.dim = 64, .grouped = true}>;

const running_case here([] {
  host_matrix<bf16> Q(2 * 4 * 64, 64), K(3 * 64, 64), V(3 * 64, 64), O(2 * 4 * 64, 64);
  run_on_model<kernel>(tensor(Q.in().data, 1, 2, 4, 64, 64), tensor(K.in().data, 1, 3, 64, 64),
                       tensor(V.in().data, 1, 3, 64, 64), tensor(O.view().data, 1, 2, 4, 64, 64), 0.125f);
});

}  // namespace heads_that_do_not_agree
