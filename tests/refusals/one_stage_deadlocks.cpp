// expect: the producer waits forever for a free stage of A (it has 1): the consumers hold 1 and wait for what is loaded next; use more stages
// expect-clang: protocol_deadlocks
// expect-nvcc: protocol_deadlocks
#include "product.hpp"

struct kernel : product {
  static constexpr sectile::schedule schedule{.stages = 1, .consumers = 2};
};
static_assert(verified<kernel>);
