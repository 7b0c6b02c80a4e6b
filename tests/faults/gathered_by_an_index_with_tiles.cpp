// fault: an index that is to come with tiles
// caught: compile time
// expect: operand A: its rows are picked by row, which the producer reads itself; leave out with_tiles
#include "fault.hpp"

struct kernel : gathered_product {
  static constexpr auto operands =
      sectile::operands(gathered_input<"A(M,K)", bf16, "row">(), vector_input<"row(M)", s32>(with_tiles),
                        input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
