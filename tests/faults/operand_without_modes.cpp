// fault: an output whose modes have no names
// caught: compile time
// expect: operand C has 0 modes; the matrix whose tiles are the work has 2 to 5, with names: output<"C(M,N)", ..>()
// expect-clang: refused_because<sectile::rule::operand_is_used_in_another_way, 0, 5>
// expect-nvcc: refused_because<sectile::rule::operand_is_used_in_another_way, 0LL, 5LL>
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C", bf16>());
};
static_assert(verified<kernel>);
