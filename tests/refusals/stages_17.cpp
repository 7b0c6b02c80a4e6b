// expect: 17 stages: 1 to 16 are possible
#include "product.hpp"

struct kernel : product {
  static constexpr sectile::schedule schedule{.stages = 17, .consumers = 2};
};
static_assert(verified<kernel>);
