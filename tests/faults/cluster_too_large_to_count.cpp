// fault: a cluster whose CTAs are too many to count
// caught: compile time
// expect: a cluster of 65536 x 65536 CTAs: 1 to 8 CTAs are portable on sm_90
#include "fault.hpp"

struct kernel : product {
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 128}, {"K", 64}}, .cluster = {65536, 65536}};
};
static_assert(verified<kernel>);
