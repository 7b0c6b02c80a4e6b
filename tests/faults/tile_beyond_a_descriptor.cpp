// fault: a tile of more bytes than a descriptor reaches
// caught: compile time
// expect: operand B: a tile of 64 x 4096 has 524288 bytes, of which a descriptor reaches 262144; use a smaller one
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 4096}, {"N", 64}}, .stages = 2, .consumers = 1};
};
static_assert(verified<kernel>);
