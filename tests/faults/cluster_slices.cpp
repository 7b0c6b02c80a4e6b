// fault: a tile that the CTAs of a cluster cannot fetch in slices of whole core matrices
// caught: compile time
// expect: operand B: 24 rows over 2 CTAs that fetch a slice each are not whole core matrices of 8 rows; use a multiple of 16 or another cluster
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"N", 24}}, .stages = 2, .cluster = {2, 1}, .consumers = 2};
};
static_assert(verified<kernel>);
