// fault: rows of 8 bits that are to be added up
// caught: compile time
// expect: operand C: scattered_output() adds rows of bf16, f16 or float, not e4m3
#include "fault.hpp"

struct kernel : scattered_product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"place(M)", s32>(), input<"B(N,K)", bf16>(),
                        scattered_output<"C(M,N)", e4m3, "place">());
};
static_assert(verified<kernel>);
