// fault: tile rows that are no multiple of the 16 bytes that TMA copies
// reported: triton#7385
// caught: compile time
// expect: operand A: 12 contiguous elements are 24 bytes; TMA copies multiples of 16 bytes: use a multiple of 8 elements
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 12}, {"N", 64}});
};
static_assert(verified<kernel>);
