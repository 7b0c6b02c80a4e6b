// fault: members of a family that split their loops into other parts
// caught: compile time
// expect: configurations 0 and 1 sum in different orders
#include "fault.hpp"

struct family : product {
  static constexpr auto how = configurations(
      configuration{.tile = product::how.tile, .stages = 2, .consumers = 2},
      configuration{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2});
};
static_assert(verified<family>);
