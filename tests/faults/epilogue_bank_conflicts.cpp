// fault: a bank-conflicting epilogue
// caught: compile time
// expect: operand C: the epilogue's stores meet 2 times in a bank; use a tile of a multiple of 16 columns
// expect-clang: refused_because<sectile::rule::epilogue_has_bank_conflicts, 2, 16>
// expect-nvcc: refused_because<sectile::rule::epilogue_has_bank_conflicts, 2LL, 16LL>
#include "fault.hpp"

struct floats : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>());
};
static_assert(verified<floats>);

constexpr plan wide_panels(plan p) {
  p.epilogue[0].swizzle = swizzle_mode::b128;
  p.epilogue[0].panel_cols *= 4;
  p.epilogue[0].row_bytes *= 4;
  p.epilogue[0].panel_bytes *= 4;
  p.epilogue[0].panels /= 4;
  p.epilogue[0].buffers /= 4;
  p.epilogue[0].batch = 1;
  return p;
}
static_assert(verified<with_plan<floats, wide_panels>>);
