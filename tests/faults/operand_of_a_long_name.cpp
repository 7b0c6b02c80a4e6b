// fault: an operand whose name has 20 letters
// caught: compile time
// expect: operand activations_of_..: its name has 20 letters, an operand's has at most 15; choose a shorter one
// expect-clang: refused_because<sectile::rule::operand_is_used_in_another_way, 20, 15>
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"activations_of_layer(M,K)", bf16>(),
                                                     input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
