// expect: ping-pong: the consumers must use a product in every trip of the loop
#include "product.hpp"

struct kernel : product {
  static constexpr sectile::schedule schedule{.stages = 2, .consumers = 2, .pingpong = true};
};
static_assert(verified<kernel>);
