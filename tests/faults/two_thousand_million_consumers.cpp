// fault: a number of consumers that is too large to count their threads
// caught: compile time
// expect: 2147483647 consumer warpgroups and a producer need 274877906944 threads; a CTA has at most 1024
#include "fault.hpp"

struct kernel : product {
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 128}, {"K", 64}}, .consumers = 2147483647};
};
static_assert(verified<kernel>);
