// fault: groups of rows whose tiles are made one below the other
// caught: compile time
// expect: .abreast = true: rows of Y are cut into groups, and tiles one below the other are those of one matrix
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr sectile::configuration how = grouped_product::how.with_consumers_abreast();
};
static_assert(verified<kernel>);
