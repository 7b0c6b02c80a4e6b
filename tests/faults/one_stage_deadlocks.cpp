// fault: a pipeline with fewer stages than it holds at once: one stage, and the next load waits for it
// caught: compile time
// expect: the producer waits forever for a free stage of A (it has 1): the consumers hold 1 and wait for what is loaded next; use more stages
// expect-clang: refused_because<sectile::rule::protocol_deadlocks, 1, 1>
// expect-nvcc: refused_because<sectile::rule::protocol_deadlocks, 1LL, 1LL>
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 1, .consumers = 2};
};
static_assert(verified<kernel>);
