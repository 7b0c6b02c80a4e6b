// fault: ends of three sequences of keys, and of two of queries
// caught: launch
// expect: operand key_ends: E = 3, but operand query_ends has E = 2
#include "running/running.hpp"

namespace ends_of_keys_and_of_fewer_queries {

const running_case here([] {
  host_matrix<bf16> Q(128, 64), K(96, 64), V(96, 64), O(128, 64);
  const s32 query_ends[]{64, 128}, key_ends[]{32, 64, 96};
  run_on_model<grouped_scores>(Q.in(), K.in(), V.in(), tensor(query_ends, 2), tensor(key_ends, 3), O.view());
});

}  // namespace ends_of_keys_and_of_fewer_queries
