// fault: tile rows that do not split over the warps under WMMA
// caught: compile time
// expect: operand C: tile rows M = 96 are not a multiple of 64 for each of 1 consumers; use 128 or another number of consumers
#include <sectile/dsl/portable/plan.hpp>

#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(row_major, tile(96, 64)), input<"B(N,K)", bf16>(row_major, tile(64, 64)),
                        output<"C(M,N)", bf16>(row_major, tile(96, 64)));
  static constexpr sectile::schedule schedule{.consumers = 1};
};
static_assert(portable::readable<kernel, portable::wmma<>>);
