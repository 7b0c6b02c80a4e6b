// fault: the largest number of each row, stored by both tiles that a row has
// caught: launch
// expect: operand most: N = 128 takes 2 tiles of 64, each of which would store the same elements; combine() them, give most a mode that counts these tiles, or take a configuration whose tile spans N
#include "running/with_sums.hpp"

namespace rows_stored_by_two_tiles {

const running_case here([] {
  run_with_sums(128, [](vectors_of_sums& v, host_matrix<float>&) {
    v.sums = tensor(v.memory.data(), 128);
    v.least = tensor(v.memory.data() + 512, 2, 128);
  });
});

}  // namespace rows_stored_by_two_tiles
