// fault: rows that an index of columns names
// caught: compile time
// expect: operand C: its rows are named by place, whose modes are not those of C but the last, along which a row is whole; declare input<"place(M)", s32>()
#include "fault.hpp"

struct kernel : scattered_product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"place(N)", s32>(), input<"B(N,K)", bf16>(),
                        scattered_output<"C(M,N)", bf16, "place">());
};
static_assert(verified<kernel>);
