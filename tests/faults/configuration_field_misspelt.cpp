// fault: a misspelt field of the configuration
// caught: compile time
// expect: 'const sectile::configuration' has no non-static data member named 'stage'
// clang-lines: 34
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stage = 4};
};
static_assert(verified<kernel>);
