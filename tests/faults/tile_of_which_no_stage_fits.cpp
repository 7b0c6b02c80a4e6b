// fault: a tile of which shared memory has no room for one stage
// caught: compile time
// expect: a CTA has 232448; 0 stages fit, so use smaller tiles
#include "fault.hpp"

struct kernel : product {
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 128}, {"K", 1024}}};
};
static_assert(verified<kernel>);
