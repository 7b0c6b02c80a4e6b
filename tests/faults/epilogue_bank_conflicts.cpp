// fault: a bank-conflicting epilogue
// caught: compile time
// expect: operand C: the epilogue's stores meet 4 times in a bank; use a tile of a multiple of 16 columns
// expect-clang: refused_because<sectile::rule::epilogue_has_bank_conflicts, 4, 16>
// expect-nvcc: refused_because<sectile::rule::epilogue_has_bank_conflicts, 4LL, 16LL>
#include "fault.hpp"

struct floats : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>());
};
static_assert(verified<floats>);

constexpr plan plain_rows(plan p) {
  p.epilogue[0].swizzle = swizzle_mode::none;
  return p;
}
static_assert(verified<with_plan<floats, plain_rows>>);
