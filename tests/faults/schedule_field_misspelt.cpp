// fault: a misspelt field of the schedule
// caught: compile time
// expect: 'const sectile::schedule' has no non-static data member named 'stage'
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::schedule schedule{.stage = 4};
};
static_assert(verified<kernel>);
