// expect: 0 consumer warpgroups and a producer need 128 threads
#include "product.hpp"

struct kernel : product {
  static constexpr sectile::schedule schedule{.stages = 2, .consumers = 0};
};
static_assert(verified<kernel>);
