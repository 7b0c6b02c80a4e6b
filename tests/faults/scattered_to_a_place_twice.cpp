// fault: an index that names a place twice, and another one never
// caught: model
// expect: leaves the number of tile 1 of 2 for element 0 of part 0 of C, where cluster 0 has left that of another tile
#include "running/scattered.hpp"

namespace scattered_to_a_place_twice {

const running_case here([] {
  scattered_operands o;
  o.place[1] = 1;
  o.run();
});

}  // namespace scattered_to_a_place_twice
