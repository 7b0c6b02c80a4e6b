// fault: a tile of which shared memory has room for one stage, where products take two
// caught: compile time
// expect: a CTA has 232448; 1 stage fits, and a loop of products takes two, so use smaller tiles
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 1024}, {"N", 8}}, .stages = 2, .consumers = 1};
};
static_assert(verified<kernel>);
