// fault: a product whose tiles have different extents along K
// reported: cutlass#2332
// caught: compile time
// expect: acc += a * b: a is 128 x 64 and b is 32 x 64; the columns of a must equal the rows of b: write a * transpose(b)
// expect-clang: refused_because<sectile::rule::shapes_do_not_match, 128, 64, 32, 64>
// expect-nvcc: refused_because<sectile::rule::shapes_do_not_match, 128LL, 64LL, 32LL, 64LL>
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 64)), input<"B(N,K)", bf16>(row_major, tile(64, 32)),
                        output<"C(M,N)", bf16>(row_major, tile(128, 64)));
};
static_assert(verified<kernel>);
