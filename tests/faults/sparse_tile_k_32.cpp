// fault: a sparse tile narrower than a block of its metadata
// reported: CUDALibrarySamples#167
// caught: compile time
// expect: operand A: a sparse tile of bf16 has a multiple of 64 columns, because a block of metadata serves so many; not 32
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 32}, {"N", 64}});
};
static_assert(verified<kernel>);
