// fault: rows that are scattered by consumers with a tile each
// caught: compile time
// expect: .abreast = true: rows of C are scattered, and tiles one below the other are those of one matrix
#include "fault.hpp"

struct kernel : scattered_product {
  static constexpr sectile::configuration how = scattered_product::how.with_consumers_abreast();
};
static_assert(verified<kernel>);
