// fault: a tile that the CTAs of a cluster cannot fetch in slices that begin where TMA may write
// caught: compile time
// expect: operand B: 24 rows over 4 CTAs that fetch a slice each do not begin at multiples of 128 bytes; use a multiple of 16 rows or another cluster
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 16}, {"N", 24}}, .stages = 2, .cluster = {4, 1}, .consumers = 2};
};
static_assert(verified<kernel>);
