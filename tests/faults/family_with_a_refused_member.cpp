// fault: a family of which one member has tiles that cannot be multiplied
// caught: compile time
// expect: configuration 1: tile K = 40 is not a multiple of the instruction K = 16
#include "fault.hpp"

struct kernel : product {
  static constexpr auto how = configurations(product::how, product::how.with_tile({{"M", 128}, {"K", 40}, {"N", 64}}));
};
static_assert(verified<kernel>);
