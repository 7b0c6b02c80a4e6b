// fault: rows that are gathered for tiles of several consumers
// caught: compile time
// expect: .abreast = true: rows of A are gathered, by threads that load for one tile
#include "fault.hpp"

struct kernel : gathered_product {
  static constexpr sectile::configuration how = gathered_product::how.with_consumers_abreast();
};
static_assert(verified<kernel>);
