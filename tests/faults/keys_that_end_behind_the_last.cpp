// fault: sequences of queries that fit, and of keys that do not
// caught: model
// expect: key_ends[1] = 97: there are 96 rows along T; ends of groups do not fall
#include "running/running.hpp"

namespace keys_that_end_behind_the_last {

const running_case here([] {
  host_matrix<bf16> Q(128, 64), K(96, 64), V(96, 64), O(128, 64);
  const s32 query_ends[]{64, 128}, key_ends[]{32, 97};
  run_on_model<grouped_scores>(Q.in(), K.in(), V.in(), tensor(query_ends, 2), tensor(key_ends, 2), O.view());
});

}  // namespace keys_that_end_behind_the_last
