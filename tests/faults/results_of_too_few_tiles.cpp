// fault: partial results of one tile where a row has two
// caught: launch
// expect: operand least: T = 1 counts tiles along N, but N = 128 takes 2 tiles of 64
#include "running/with_sums.hpp"

namespace results_of_too_few_tiles {

const running_case here([] {
  run_with_sums(128, [](vectors_of_sums& v, host_matrix<float>&) { v.sums = tensor(v.memory.data(), 128); });
});

}  // namespace results_of_too_few_tiles
