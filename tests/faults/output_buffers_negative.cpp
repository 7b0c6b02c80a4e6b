// fault: a negative number of buffers for results
// caught: compile time
// expect: output_buffers = -1: a consumer has 1 to 64 panels for its results; 0 is as many as fit
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .output_buffers = -1};
};
static_assert(verified<kernel>);
