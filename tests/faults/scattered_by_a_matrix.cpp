// fault: rows that a matrix names
// caught: compile time
// expect: operand C: its rows are named by place, which is no vector; declare input<"place(M)", s32>()
#include "fault.hpp"

struct kernel : scattered_product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"place(M,K)", s32>(), input<"B(N,K)", bf16>(),
                        scattered_output<"C(M,N)", bf16, "place">());
};
static_assert(verified<kernel>);
