// fault: scattered rows that lie in the columns of registers
// caught: compile time
// expect: operand C: .swap = true leaves its columns in the rows of registers, and a warp scatters whole rows; leave it out
#include "fault.hpp"

struct kernel : scattered_product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1, .swap = true};
};
static_assert(verified<kernel>);
