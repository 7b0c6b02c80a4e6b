// fault: tile columns that are no multiple of 8
// caught: compile time
// expect: operand C: 100 contiguous elements are 200 bytes; TMA copies multiples of 16 bytes: use a multiple of 8 elements
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 64}, {"N", 100}});
};
static_assert(verified<kernel>);
