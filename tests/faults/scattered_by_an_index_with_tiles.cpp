// fault: an index of rows to add to that is to come with tiles
// caught: compile time
// expect: operand C: its rows are named by place, which the consumers read themselves; leave out with_tiles
#include "fault.hpp"

struct kernel : scattered_product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), vector_input<"place(M)", s32>(with_tiles), input<"B(N,K)", bf16>(),
                        scattered_output<"C(M,N)", bf16, "place">());
};
static_assert(verified<kernel>);
