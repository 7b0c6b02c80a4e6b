// fault: a sparse tile whose rows are not whole blocks of metadata
// caught: compile time
// expect: operand A: a sparse tile has a multiple of 64 rows, because a block of metadata serves so many; not 96
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 96}, {"K", 64}, {"N", 64}});
};
static_assert(verified<kernel>);
