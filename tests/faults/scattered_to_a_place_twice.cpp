// fault: an index that names a place twice, and another one never
// caught: model
// expect: of summand 1 of 2 of row 0, tile 0 of C, where cluster 0 has left others before
#include "running/scattered.hpp"

namespace scattered_to_a_place_twice {

const running_case here([] {
  scattered_operands o;
  o.place[1] = 1;
  o.run();
});

}  // namespace scattered_to_a_place_twice
