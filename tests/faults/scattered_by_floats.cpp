// fault: rows that are named by numbers which count nothing
// caught: compile time
// expect: operand C: its rows are named by place, a vector of f32; declare input<"place(M)", s32>()
#include "fault.hpp"

struct kernel : scattered_product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"place(M)", float>(), input<"B(N,K)", bf16>(),
                        scattered_output<"C(M,N)", bf16, "place">());
};
static_assert(verified<kernel>);
