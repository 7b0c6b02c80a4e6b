// fault: stages for each of the consumers abreast that are more than a ring has
// caught: compile time
// expect: operand A: 9 stages for each of 2 consumers: 1 to 16 are possible in all
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 32}, {"N", 32}}, .stages = 9, .consumers = 2, .abreast = true};
};
static_assert(verified<kernel>);
