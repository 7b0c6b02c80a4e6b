// fault: an image for a filter as a matrix, without the mode that counts places of the filter
// caught: compile time
// expect: im2col_input<"A(M,K)", ..>() has three modes, as in X(T,M,C): T counts the places of the filter, M the pixels of the output, C channels; not 2
// expect-clang: operand_is_used_in_another_way
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(im2col_input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
