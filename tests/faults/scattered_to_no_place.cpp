// fault: an index of a row that the output does not have
// caught: model
// expect: an element of place is 6, as consumer 0
#include "running/scattered.hpp"

namespace scattered_to_no_place {

const running_case here([] {
  scattered_operands o;
  o.place[2] = 6;
  o.run();
});

}  // namespace scattered_to_no_place
