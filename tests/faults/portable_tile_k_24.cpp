// fault: a K tail under WMMA: the tile's K is no multiple of the fragment's
// reported: tilelang#2381
// caught: compile time
// expect: tile K = 24 is not a multiple of the K = 16 of nvcuda::wmma for bf16; use 32
#include <sectile/dsl/portable/plan.hpp>

#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 24}, {"N", 64}});
};
static_assert(portable::readable<kernel, portable::wmma<>>);
