// fault: tile columns that are no multiple of a WMMA fragment
// reported: tilelang#2593
// caught: compile time
// expect: operand C: tile columns N = 24 are not a multiple of 16; use 32
#include <sectile/dsl/portable/plan.hpp>

#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 64}, {"N", 24}});
};
static_assert(portable::readable<kernel, portable::wmma<>>);
