// fault: two vectors of results, one in the other
// caught: launch
// expect: share memory; each output needs memory of its own
#include "running/with_sums.hpp"

namespace vectors_that_share_memory {

const running_case here([] {
  run_with_sums(64, [](vectors_of_sums& v, host_matrix<float>&) { v.most = tensor(v.memory.data() + 32, 128); });
});

}  // namespace vectors_that_share_memory
