// fault: tile rows that do not split over the warps under WMMA
// caught: compile time
// expect: operand C: tile rows M = 96 are not a multiple of 64 for each of 1 consumers; use 128 or another number of consumers
#include <sectile/dsl/portable/plan.hpp>

#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 96}, {"K", 64}, {"N", 64}}, .consumers = 1};
};
static_assert(portable::readable<kernel, portable::wmma<>>);
