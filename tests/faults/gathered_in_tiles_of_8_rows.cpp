// fault: gathered rows of 32 bytes in tiles of 8
// caught: compile time
// expect: operand A: tile M = 8 rows of 32 bytes, of which a warp copies 16 at a time; use 16, or longer rows
#include "fault.hpp"

struct kernel : gathered_product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 8}, {"N", 64}, {"K", 16}}, .stages = 2, .consumers = 1, .swap = true};
};
static_assert(verified<kernel>);
