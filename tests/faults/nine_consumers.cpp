// fault: more warpgroups than a CTA has threads for
// caught: compile time
// expect: 9 consumer warpgroups and a producer need 1280 threads; a CTA has at most 1024: 1 to 7 consumers
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 9};
};
static_assert(verified<kernel>);
