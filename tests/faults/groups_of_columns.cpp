// fault: groups along the contiguous mode of a matrix
// caught: compile time
// expect: operand X(E,T,K): T is cut into groups by ends, which are rows of a dense row-major matrix: not col_major, nor sparse, nor im2col
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr auto operands = sectile::operands(input<"X(E,T,K)", bf16>(col_major), input<"W(E,N,K)", bf16>(),
                                                     group_ends<"ends(E)", "T">(), output<"Y(E,T,N)", bf16>());
};
static_assert(verified<kernel>);
