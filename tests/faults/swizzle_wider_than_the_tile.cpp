// fault: a swizzle wider than the tile's rows
// reported: Fuser#4918
// caught: compile time
// expect: contiguous bytes; use one of at most 64 bytes
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(row_major, swizzle_mode::b128), input<"B(N,K)", bf16>(),
                        output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 32}, {"N", 64}});
};
static_assert(verified<kernel>);
