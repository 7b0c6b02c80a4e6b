// fault: a K tail under WMMA: the tile's K is no multiple of the fragment's
// reported: tilelang#2381
// caught: compile time
// expect: tile K = 24 is not a multiple of the K = 16 of nvcuda::wmma for bf16; use 32
#include <sectile/dsl/portable/plan.hpp>

#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 24)), input<"B(N,K)", bf16>(row_major, tile(64, 24)),
                        output<"C(M,N)", bf16>(row_major, tile(128, 64)));
};
static_assert(portable::readable<kernel, portable::wmma<>>);
